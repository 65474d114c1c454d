"""Sound rows told apart from all others, fast: they never meet a rule."""
