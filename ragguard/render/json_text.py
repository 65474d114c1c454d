"""A JSON value as text."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """A JSON value for people and programs, ending in a newline."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate in somebody's id has no UTF-8; escaped it is still JSON.
        return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    return text
