"""The sidecar of a dataset or manifest: versions and other facts that hold for the whole file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragguard.dataset.lines import unreadable
from ragguard.errors import InputError
from ragguard.location import Location


def sidecar_path(path: Path) -> Path:
    """`docs.jsonl` and `docs.jsonl.gz` have `docs.meta.json`."""
    name = path.name.removesuffix(".gz")
    stem = name.rpartition(".")[0] or name
    return path.with_name(f"{stem}.meta.json")


def read_sidecar(path: Path, shown: str) -> dict[str, Any]:
    """The facts beside a file; empty when there is no sidecar.

    Args:
        path: the dataset or manifest, not its sidecar.
        shown: name of the sidecar in errors.

    Raises:
        InputError: the sidecar cannot be read or is no JSON object.
    """
    beside = sidecar_path(path)
    try:
        decoded = json.loads(beside.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise unreadable(error, shown) from error
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        column = error.colno if isinstance(error, json.JSONDecodeError) else None
        raise InputError(
            f"the sidecar is not JSON: {error}", location=Location(shown, line, column)
        ) from error
    if not isinstance(decoded, dict):
        raise InputError("the sidecar is not a JSON object", location=Location(shown, 1, 1))
    return decoded
