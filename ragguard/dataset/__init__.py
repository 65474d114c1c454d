"""Datasets: bytes to numbered rows, strict decoding, positions, field mapping, imports."""
