"""The loopback's own tests use its fixture like everyone else."""

from tests.loopback.fixtures import github

__all__ = ["github"]
