"""Gates held against what queries can reach, before anything is evaluated."""
