"""From the values of a table to those of a dataset row: ids as texts, cells as what they mean."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from ragguard.dataset.decoding import decode
from ragguard.dataset.imports.source_table import ABSENT
from ragguard.dataset.imports.table_options import LISTS

ID_LISTS = ("relevant_ids", "forbidden_ids")
_FLAGS = ("answerable", "critical", "private")
_NUMBERS = ("max_rank", "weight")
_STRUCTURES = ("judgments", "evidence", "spans", "context", "label_hashes", "claims")

_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class ValueRefusedError(ValueError):
    """A value that cannot be what its field holds.

    Args:
        message: what is wrong with it.
        hint: the way out.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def field_value(name: str, value: Any, separator: str | None, *, is_text: bool) -> Any:
    """The value of a canonical field.

    Args:
        name: the field.
        value: as the table has it.
        separator: what stands between the ids of one text.
        is_text: whether the table knows texts only.

    Returns:
        `ABSENT` for null and, where a table knows texts only, for an empty cell.

    Raises:
        ValueRefusedError: it cannot be what the field holds.
    """
    if value is None or value is ABSENT or (is_text and not value.strip()):
        return ABSENT
    if name == "query_id":
        return _id(name, value)
    if name in ID_LISTS:
        return _ids(name, value, separator)
    return _meaning(name, value) if is_text else value


def _id(name: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        keys = ", ".join(map(repr, value))
        way = f"say which member is the id: --field {name}=COLUMN.{next(iter(value), 'id')}"
        raise ValueRefusedError(f"an id is a text, here an object of {keys}", way)
    raise ValueRefusedError(
        f"an id is a text, here {json.dumps(value, ensure_ascii=False):.60}",
        "write ids in quotes, so that no program takes them for numbers",
    )


def _ids(name: str, value: Any, separator: str | None) -> Any:
    if isinstance(value, list):
        return [_id(name, each) for each in _flat(value)] or ABSENT
    if not isinstance(value, str):
        return [_id(name, value)]
    if separator == LISTS:
        return listed(value) or ABSENT
    if value.strip().startswith("[") and value.strip().endswith("]"):
        raise ValueRefusedError(
            f"a cell that looks like a list: {value:.60}", "read such cells with --separator list"
        )
    if separator is None:
        return [value]
    parts = [part.strip() for part in value.split(separator)]
    return [part for part in parts if part] or ABSENT


def _flat(values: list[Any]) -> list[Any]:
    """A list without the lists in it, which a path through objects leaves."""
    flat = []
    for each in values:
        flat.extend(_flat(each) if isinstance(each, list) else [each])
    return flat


_ITEM = re.compile(
    r'\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|(\'[^\'\\]*(?:\\.[^\'\\]*)*\')|(\d+))\s*(,|$)', re.DOTALL
)


def listed(cell: str) -> list[str]:
    """The ids of a list that JSON or Python wrote into a cell.

    Raises:
        ValueRefusedError: it is no list of texts.
    """
    text = cell.strip()
    inner = text[1:-1].strip() if text.startswith("[") and text.endswith("]") else None
    if inner is None:
        raise ValueRefusedError(
            f"no list: {cell:.60}", 'with --separator list, a cell reads ["a", "b"]'
        )
    ids = []
    position = 0
    while position < len(inner):
        match = _ITEM.match(inner, position)
        if match is None:
            raise ValueRefusedError(
                f"a list whose items are not all texts: {cell:.60}",
                "write its ids in quotes, with commas between them",
            )
        ids.append(_unquoted(match))
        position = match.end()
    return ids


def _unquoted(match: re.Match[str]) -> str:
    double, single, digits, _ = match.groups()
    try:
        # What json.dumps wrote is JSON; repr uses double quotes only around a single one.
        return digits or str(json.loads(double) if double else ast.literal_eval(single))
    except (ValueError, SyntaxError):
        try:
            return str(ast.literal_eval(double or single))
        except (ValueError, SyntaxError) as error:
            raise ValueRefusedError(
                f"no text: {double or single:.60}", "write the id without escapes"
            ) from error


def _meaning(name: str, cell: str) -> Any:
    """What a cell of text means in a field that holds no text."""
    if name in _FLAGS:
        if cell.strip().lower() not in _TRUTH:
            raise ValueRefusedError(f"{name} is true or false, here {cell!r:.60}", "write true")
        return _TRUTH[cell.strip().lower()]
    if name in _NUMBERS:
        return _number(name, cell)
    return _structure(name, cell) if name in _STRUCTURES else cell


def _number(name: str, cell: str) -> int | float:
    digits = cell.strip()
    if _INTEGER.fullmatch(digits):
        return int(digits)
    if _NUMBER.fullmatch(digits):
        return float(digits)
    raise ValueRefusedError(f"{name} is a number, here {cell!r:.60}", "write digits: 5")


_INTEGER = re.compile(r"[+-]?[0-9]{1,300}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,20}(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,2})?")


def _structure(name: str, cell: str) -> Any:
    if name == "claims" and not cell.strip().startswith("["):
        return [cell]
    decoded = decode(f'{{"": {cell}}}'.encode())
    if decoded.value is None or decoded.faults or len(decoded.value) != 1:
        raise ValueRefusedError(
            f"{name} is no JSON: {cell:.60}",
            f"{name} has members, and in a cell they are written as JSON",
        )
    return decoded.value[""]
