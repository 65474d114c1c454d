"""The versions that a dataset names."""

VERSIONS = ("dataset_version", "corpus_version")
"""Of itself, and of the corpus that its labels are for; in every row, or once in the sidecar."""
