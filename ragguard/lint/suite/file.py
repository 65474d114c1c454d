"""One file of a suite, and what is noted of it while its rows are read."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.dataset.sidecar import sidecar_path
from ragguard.dataset.versions import VERSIONS


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A dataset of a suite.

    Attributes:
        content: where its rows are read; mostly `path`.
        sidecar: what its sidecar says.
        lacking: for each version field the lines whose rows lack it.
        naming: for each version field how many rows have it.
        gated: the lines whose rows a gate of their own may judge in vain.
    """

    path: Path
    shown: str
    content: Path
    sidecar: Mapping[str, Any]
    lacking: dict[str, array[int]] = field(
        default_factory=lambda: {name: array("I") for name in VERSIONS}
    )
    naming: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VERSIONS, 0))
    gated: array[int] = field(default_factory=lambda: array("I"))

    @property
    def sidecar_file(self) -> str:
        """The name of its sidecar in diagnostics."""
        return shown_path(sidecar_path(self.path))
