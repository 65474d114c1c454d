"""The configuration: values, discovery, reading and validation."""
