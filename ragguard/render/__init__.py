"""Values turned into text: pure functions."""
