"""Real datasets made by others, each with its mapping and with the findings that are right."""
