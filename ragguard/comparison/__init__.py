"""Two reports compared, pure: pairing, effects, movement."""
