"""Real collections made by others, when they lie beside the project; users do not have them."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(relative: str) -> Path:
    """A file or folder of the collections; skips the test when it is not there.

    Args:
        relative: path below the folder of the collections, with forward slashes.
    """
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"../shared/{relative} is not there: the collections are not part of ragguard")
    return path
