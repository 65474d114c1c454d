"""Corpus manifests: reading, streaming, nearest ids."""
