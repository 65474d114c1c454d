"""The sidecar of a dataset or manifest: versions and other facts that hold for the whole file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragguard.dataset.lines import unreadable
from ragguard.dataset.positions import value_span
from ragguard.errors import InputError
from ragguard.location import Location

VERSION_FIELDS = ("dataset_version", "corpus_version")


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
        InputError: the sidecar cannot be read, is no JSON object, or a version is no text.
    """
    beside = sidecar_path(path)
    try:
        text = beside.read_bytes().decode("utf-8-sig")
        decoded = json.loads(text)
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
    check_versions(decoded, text, shown)
    return decoded


def check_versions(facts: Mapping[str, Any], text: str, shown: str) -> None:
    """Refuse a version that is no text: it would count as missing, and nobody would see why.

    Args:
        facts: a decoded JSON object.
        text: what it was decoded from, for the place.
        shown: its file in errors.

    Raises:
        InputError: a version is no text, or blank.
    """
    for name in VERSION_FIELDS:
        if name in facts:
            _check_version(name, facts[name], text, shown)


def _check_version(name: str, version: Any, text: str, shown: str) -> None:
    if isinstance(version, str) and version.strip():
        return
    span = value_span(text, [name])
    start = span.start if span else 0
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    blank = isinstance(version, str)
    raise InputError(
        f"{name} is blank" if blank else f"{name} is a text, here {version!r}",
        location=Location(shown, line, column),
        hint='write a version in quotes: "7"',
    )
