"""Ways to ask a retriever: worker protocol, run files, built-in full-text search."""
