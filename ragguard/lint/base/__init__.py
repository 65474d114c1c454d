"""A suite as it was on the base branch, and what changed since."""
