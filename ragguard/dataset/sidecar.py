"""The sidecar of a dataset or manifest: versions and other facts that hold for the whole file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.dataset.lines import BOM, refuse_stream, unreadable
from ragguard.dataset.positions import key_span, value_span
from ragguard.dataset.versions import VERSIONS
from ragguard.dataset.whole import place, whole_object
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
        InputError: the sidecar cannot be read, is no JSON object, has a fault such as a key
            twice, or a version is no text.
    """
    try:
        refuse_stream(sidecar_path(path))
        content = sidecar_path(path).read_bytes().removeprefix(BOM)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise unreadable(error, shown) from error
    decoded = whole_object(content, shown, _SIDECAR_FORM)
    check_versions(decoded, content.decode("utf-8"), shown)
    return decoded


_SIDECAR_FORM = 'a sidecar is one JSON object: {"dataset_version": "7"}'


def check_versions(facts: Mapping[str, Any], text: str, shown: str) -> None:
    """Refuse a version that is no text: it would count as missing, and nobody would see why.

    Args:
        facts: a decoded JSON object.
        text: what it was decoded from, for the place.
        shown: its file in errors.

    Raises:
        InputError: a version is no text, or blank.
    """
    for name in VERSIONS:
        if name in facts:
            _check_version(name, facts[name], text, shown)


def _check_version(name: str, version: Any, text: str, shown: str) -> None:
    if isinstance(version, str) and version.strip():
        return
    span = value_span(text, [name])
    blank = isinstance(version, str)
    raise InputError(
        f"{name} is blank" if blank else f"{name} is a text, here {version!r}",
        location=place(text, span.start if span else 0, shown),
        hint='write a version in quotes: "7"',
    )


def sidecar_location(path: Path, key: str) -> Location:
    """Where a key of a file's sidecar stands."""
    beside = sidecar_path(path)
    text = beside.read_bytes().decode("utf-8-sig", "replace")
    span = key_span(text, (key,))
    return place(text, span.start if span else 0, shown_path(beside))
