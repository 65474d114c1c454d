"""A linter for retrieval-evaluation datasets and a judge of retrieval regressions."""

__version__ = "1.0.0"
