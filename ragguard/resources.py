"""The files that ship with ragguard: JSON Schemas and the bundled example.

A wheel carries them under `ragguard/_data/`; a checkout or an editable install
has them at the top of the repository, where people look for them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent
_ROOTS = (_PACKAGE / "_data", _PACKAGE.parent)


def _find(name: str) -> Path:
    for root in _ROOTS:
        if (root / name).is_dir():
            return root / name
    raise FileNotFoundError(f"ragguard is installed without its {name}/; install it again")


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema `schemas/<name>.schema.json`, decoded. Do not change what is returned."""
    text = (_find("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    decoded: dict[str, Any] = json.loads(text)
    return decoded


def examples() -> Path:
    """The folder of the bundled example: configuration, corpus and queries."""
    return _find("examples")
