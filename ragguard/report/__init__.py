"""Reports: writing, reading, summarising."""
