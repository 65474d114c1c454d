"""Strict JSON of one line: a row, or everything that is wrong with it.

The fast path costs what `json.loads` costs. Only a line with a fault is looked at again, to say
where the fault is and what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import isinf
from typing import Any, NoReturn

from ragguard.dataset.positions import key_spans, value_span


class FaultKind(StrEnum):
    """What can be wrong with a line before its fields are looked at."""

    ENCODING = "encoding"
    SYNTAX = "syntax"
    NOT_AN_OBJECT = "not-an-object"
    DUPLICATE_KEY = "duplicate-key"
    NUMBER = "number"
    SURROGATE = "surrogate"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a line.

    Attributes:
        position: 0-based index of the character at fault in the decoded line.
    """

    kind: FaultKind
    message: str
    position: int = 0
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class DecodedLine:
    """A line as text and, where it is a JSON object, as a value.

    Attributes:
        text: the line decoded; bytes that are no UTF-8 replaced.
        value: the object; None when a fault left none.
    """

    text: str
    value: dict[str, Any] | None
    faults: tuple[Fault, ...] = ()


class _TwinKeyError(ValueError):
    """A key stands twice in one object."""


class _NumberError(ValueError):
    """A number that JSON or a double does not have."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    decoded = dict(pairs)
    if len(decoded) != len(pairs):
        raise _TwinKeyError
    return decoded


def _no_constant(name: str) -> NoReturn:
    raise _NumberError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if isinf(number):
        raise _NumberError(digits)
    return number


_strict: Callable[[str], Any] = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
).decode
_lenient: Callable[[str], Any] = json.JSONDecoder().decode

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def decode(content: bytes) -> DecodedLine:
    """Decode one line strictly; never raises, whatever the bytes."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(content, error)
    try:
        value = _strict(text)
    except (ValueError, RecursionError):
        return _explain(text)
    if not isinstance(value, dict):
        return DecodedLine(text, None, (_not_an_object(text, value),))
    if "\\u" in text and _ESCAPED_SURROGATE.search(text):
        return DecodedLine(text, value, tuple(_lone_surrogates(text, value)))
    return DecodedLine(text, value)


def _not_utf8(content: bytes, error: UnicodeDecodeError) -> DecodedLine:
    byte = content[error.start]
    position = len(content[: error.start].decode("utf-8", "replace"))
    encoding = likely_encoding(content)
    fault = Fault(
        FaultKind.ENCODING,
        f"not UTF-8: byte 0x{byte:02x}; it looks like {encoding}",
        position,
        f"convert the file: iconv -f {encoding} -t UTF-8",
    )
    return DecodedLine(content.decode("utf-8", "replace"), None, (fault,))


def likely_encoding(content: bytes) -> str:
    """The name of the encoding that bytes which are no UTF-8 are most likely in."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    if content[1:2] == b"\0" or content[:1] == b"\0":
        return "UTF-16LE" if content[1:2] == b"\0" else "UTF-16BE"
    return "Windows-1252" if any(0x80 <= byte <= 0x9F for byte in content) else "Latin-1"


def _not_an_object(text: str, value: Any) -> Fault:
    kinds = {list: "a list", str: "a text", bool: "a boolean", int: "a number", float: "a number"}
    kind = kinds.get(type(value), "null")
    hint = "a row is one JSON object on one line"
    if isinstance(value, list):
        hint += "; a file that is one JSON array must be written one object a line"
    start = len(text) - len(text.lstrip())
    return Fault(FaultKind.NOT_AN_OBJECT, f"not an object but {kind}", start, hint)


def _explain(text: str) -> DecodedLine:
    """Look again at a line that the strict decoder refused."""
    try:
        value = _lenient(text)
    except json.JSONDecodeError as error:
        return DecodedLine(text, None, (_syntax(text, error),))
    except (ValueError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        what = "nested too deeply" if deep else "a number with too many digits"
        kind = FaultKind.SYNTAX if deep else FaultKind.NUMBER
        position = 0 if deep else _longest_number(text)
        return DecodedLine(text, None, (Fault(kind, what, position),))
    if not isinstance(value, dict):
        return DecodedLine(text, None, (_not_an_object(text, value),))
    faults = [*_duplicate_keys(text), *_bad_numbers(text), *_lone_surrogates(text, value)]
    return DecodedLine(text, value, tuple(sorted(faults, key=lambda fault: fault.position)))


_LITERAL = re.compile(
    r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?', re.DOTALL
)


def _longest_number(text: str) -> int:
    numbers = [m for m in _LITERAL.finditer(text) if not m[0].startswith('"')]
    return max(numbers, key=lambda m: m.end() - m.start()).start() if numbers else 0


def _duplicate_keys(text: str) -> Iterable[Fault]:
    for keys in key_spans(text):
        seen: set[str] = set()
        for key, span in keys:
            if key in seen:
                message = f"the key {key!r} stands twice in one object"
                yield Fault(FaultKind.DUPLICATE_KEY, message, span.start, "remove one of the two")
            seen.add(key)


def _bad_numbers(text: str) -> Iterable[Fault]:
    for match in _LITERAL.finditer(text):
        literal = match[0]
        if literal.startswith('"'):
            continue
        if literal.lstrip("-") in {"NaN", "Infinity"}:
            yield Fault(
                FaultKind.NUMBER, f"{literal} is no JSON", match.start(), "use null, or a number"
            )
        elif any(mark in literal for mark in ".eE") and isinf(float(literal)):
            yield Fault(FaultKind.NUMBER, f"{literal} is out of range", match.start())


def _lone_surrogates(text: str, value: Any) -> Iterable[Fault]:
    for path, string in _strings(value):
        if _SURROGATE.search(string):
            span = value_span(text, path)
            yield Fault(
                FaultKind.SURROGATE,
                "half of a surrogate pair: no character",
                span.start if span else 0,
                "write the character itself, or both halves of its pair",
            )


def _strings(value: Any) -> Iterable[tuple[tuple[str | int, ...], str]]:
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, str):
            yield path, node
        elif isinstance(node, dict):
            for key, child in node.items():
                if _SURROGATE.search(key):
                    yield path, key
                pending.append(((*path, key), child))
        elif isinstance(node, list):
            pending.extend(((*path, index), child) for index, child in enumerate(node))


def _syntax(text: str, error: json.JSONDecodeError) -> Fault:
    """The fault of a text that is no JSON, with what was probably meant."""
    position = min(error.pos, len(text))
    rest = text[position:].lstrip()
    before = text[:position].rstrip()
    message, hint = f"not JSON: {error.msg[0].lower()}{error.msg[1:]}", None
    if text.lstrip().startswith(("//", "#", "/*")):
        message, hint = "not JSON: a comment", "JSON has no comments; remove the line"
    elif not rest:
        message, hint = "not JSON: the line ends in the middle", "write the whole row"
    elif rest[0] == "'":
        message, hint = "not JSON: single quotes", 'texts stand in double quotes: "…"'
    elif rest[0] in "}]" and before.endswith(","):
        message, hint = f"not JSON: a comma before {rest[0]!r}", "remove the comma"
        position = len(before) - 1
    elif rest[0] in "#/":
        message, hint = "not JSON: a comment", "JSON has no comments; remove it"
    elif error.msg == "Extra data":
        message, hint = "not JSON: something stands after the object", "one object a line"
    elif error.msg.startswith("Unterminated string"):
        message, hint = "not JSON: a text without its closing quote", "is the row cut off?"
    return Fault(FaultKind.SYNTAX, message, position, hint)
