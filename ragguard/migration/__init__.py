"""Labels moved to the chunk ids of a new cut, by a mapping that a person reviewed."""
