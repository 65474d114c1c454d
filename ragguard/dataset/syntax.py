"""What was meant by a text that is no JSON."""

from __future__ import annotations

import json
import re

from ragguard.dataset.fault import Fault, FaultKind

_FOREIGN_WORD = re.compile(r"(True|False|None|undefined|nil|NULL)\b")
_WRITTEN = {"True": "true", "False": "false"}


def syntax_fault(text: str, error: json.JSONDecodeError) -> Fault:
    """The fault that the decoder met, in the words of someone who sees the line.

    Args:
        text: the line.
        error: what `json` said; its wording differs between versions of Python.
    """
    position = min(error.pos, len(text))
    said = error.msg
    beginning = text.lstrip()
    if beginning.startswith(("//", "#", "/*")):
        return _fault("a comment", position, "JSON has no comments; remove the line")
    if said.startswith("Unterminated string"):
        return _fault("a text without its closing quote", position, "is the row cut off?")
    if said.startswith("Invalid control character"):
        return _fault(
            f"the control character U+{ord(text[position]):04X} inside a text",
            position,
            "write it as an escape: \\n, \\t or \\u001f",
        )
    if said.startswith("Invalid \\"):
        return _fault(
            "a backslash that begins no escape", position, "write a backslash itself as \\\\"
        )
    comma = _comma_before_the_end(text, position)
    if comma is not None:
        return _fault(f"a comma before {text[comma + 1 :].lstrip()[0]!r}", comma, "remove it")
    position += len(text[position:]) - len(text[position:].lstrip())
    return _at(text, position, said)


def _fault(what: str, position: int, hint: str | None) -> Fault:
    return Fault(FaultKind.SYNTAX, f"not JSON: {what}", position, hint)


def _comma_before_the_end(text: str, position: int) -> int | None:
    """Where a comma stands that nothing follows; newer Pythons point at it, older ones past it."""
    before = len(text[:position].rstrip()) - 1
    for comma in (position, before):
        if 0 <= comma < len(text) and text[comma] == ",":
            return comma if text[comma + 1 :].lstrip()[:1] in {"}", "]"} else None
    return None


def _at(text: str, position: int, said: str) -> Fault:
    """The fault at a character that JSON does not allow there."""
    rest = text[position:]
    if not rest:
        return _unfinished(text, position)
    for pattern, what, hint in _HABITS:
        if pattern.match(rest):
            return _fault(what, position, hint)
    if said == "Extra data":
        return _after_the_object(rest, position)
    word = _FOREIGN_WORD.match(rest)
    if word:
        return _fault(word[1], position, f"JSON writes {_WRITTEN.get(word[1], 'null')}")
    return _expected(rest, position, said)


_HABITS = [
    (re.compile(r"//|/\*|#"), "a comment", "JSON has no comments; remove it"),
    (
        re.compile("[\u201c\u201d\u2018\u2019\u201e]"),
        "typographic quotes",
        'write straight ones: "…"',
    ),
    (re.compile("'"), "single quotes", 'write "…"'),
    (re.compile(r"[A-Za-z_][\w-]*\s*:"), "a key without quotes", 'write it as "…"'),
]
"""What other languages allow: how it begins, its name, the way out."""


def _unfinished(text: str, position: int) -> Fault:
    if text.lstrip().startswith("["):
        return _fault(
            "a list that goes on in the next line",
            position,
            "a file that is one JSON array must be written one object a line: jq -c '.[]'",
        )
    return _fault("the line ends in the middle", position, "a row is one object on one line")


def _after_the_object(rest: str, position: int) -> Fault:
    if rest.rstrip() == ",":
        return _fault("a comma after the object", position, "rows are separated by line ends only")
    return _fault("something stands after the object", position, "write one object a line")


def _expected(rest: str, position: int, said: str) -> Fault:
    wanted = {
        "Expecting value": "a value",
        "Expecting ',' delimiter": "a comma or the end of the object or list",
        "Expecting ':' delimiter": "a colon after the key",
    }.get(said, "a key in double quotes" if "property name" in said else None)
    if wanted is None:
        return _fault(f"{said[0].lower()}{said[1:]}", position, None)
    return _fault(f"{rest[0]!r} where {wanted} is expected", position, None)
