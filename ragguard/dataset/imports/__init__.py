"""Datasets of other tools made into ragguard's."""
