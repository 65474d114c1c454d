"""Fixes: what they change in the bytes of a file, and how files are written."""
