"""The committed list of findings that a team knows and ignores."""
