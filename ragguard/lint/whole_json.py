"""A file that is one JSON value over many lines, where each line should be a row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragguard.dataset.lines import BOM, open_plain

LARGEST = 16 << 20
"""Bytes that are looked at as one value; in a larger file each line is explained."""


def whole_json(path: Path) -> tuple[str, str] | None:
    """What a file is when it is one list or object of JSON, and how to make lines of it.

    None when it is not, or too large to tell.
    """
    try:
        with open_plain(path) as stream:
            content = stream.read(LARGEST + 1)
        if len(content) > LARGEST:
            return None
        value = json.loads(content.removeprefix(BOM))
    except (OSError, ValueError, RecursionError, EOFError):
        return None
    if isinstance(value, list):
        return f"one JSON list of {len(value)}, not JSON Lines", _way_out(".[]")
    if isinstance(value, dict):
        listed = _longest_list(value)
        if listed is None:
            return "one JSON object over several lines, not JSON Lines", _way_out(".")
        told = f"one JSON object with a list of {len(value[listed])}, not JSON Lines"
        return told, _way_out(f".[{json.dumps(listed)}][]")
    return None


def _way_out(expression: str) -> str:
    return f"write one row a line, as `ragguard import table` or `jq -c '{expression}'` does"


def _longest_list(value: dict[str, Any]) -> str | None:
    """The key of the longest list of objects."""
    lists = [
        key
        for key, each in value.items()
        if isinstance(each, list) and each and all(isinstance(item, dict) for item in each)
    ]
    return max(lists, key=lambda key: len(value[key]), default=None)
