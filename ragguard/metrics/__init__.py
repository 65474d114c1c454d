"""The measures, pure: a ranking seen through judgments in, a number or None out."""
