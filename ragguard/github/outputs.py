"""Outputs of the step, as the runner reads them from a file."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

from ragguard.errors import UsageError


def write_outputs(path: Path, outputs: Mapping[str, str]) -> None:
    """Append outputs; no value can end early or set another output.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            for name, value in outputs.items():
                stream.write(_entry(name, value))
    except OSError as error:
        raise UsageError(f"cannot write the outputs: {error.strerror or error}") from error


def _entry(name: str, value: str) -> str:
    # Nobody can foresee the delimiter, so that no value can contain it.
    delimiter = f"ragguard-{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
