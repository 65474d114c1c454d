"""Strict JSON of one line: a row, or everything that is wrong with it.

The fast path costs what `json.loads` costs. Only a line with a fault is looked at again, to say
where the fault is and what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from json.scanner import make_scanner
from math import inf, isinf
from typing import Any, NoReturn

from ragguard.dataset.fault import Fault, FaultKind
from ragguard.dataset.positions import key_span, key_spans, value_span
from ragguard.dataset.syntax import syntax_fault

__all__ = ["DecodedLine", "Fault", "FaultKind", "decode", "likely_encoding"]

DEEPEST = 100
"""Levels of nesting beyond which a row is refused; what follows may then recurse over a row."""

LONGEST_INTEGER = 300
"""Digits of an integer beyond which no double holds it."""


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


def _within_range(digits: str) -> int:
    if len(digits) > LONGEST_INTEGER:
        raise _NumberError(digits)
    return int(digits)


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_constant=_no_constant,
    parse_float=_finite,
    parse_int=_within_range,
)
_scan: Callable[[str, int], tuple[Any, int]] = make_scanner(
    _decoder  # type: ignore[arg-type]  # typeshed takes the decoder for a scanner
)
_lenient: Callable[[str], Any] = json.JSONDecoder(
    parse_int=lambda digits: int(digits) if len(digits) <= LONGEST_INTEGER else inf
).decode

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _strict(text: str) -> Any:
    """The value of a text; most rows have no white space around them, and need no search for it."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        return _decoder.decode(text)
    return value if end == len(text) else _decoder.decode(text)


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
    if _is_too_deep(text):
        return DecodedLine(text, None, (_TOO_DEEP,))
    if "\\u" in text and _ESCAPED_SURROGATE.search(text):
        faults = tuple(_lone_surrogates(text, value))
        return DecodedLine(text, _printable(text) if faults else value, faults)
    return DecodedLine(text, value)


def _not_utf8(content: bytes, error: UnicodeDecodeError) -> DecodedLine:
    byte = content[error.start]
    encoding = likely_encoding(content)
    if error.reason == "unexpected end of data":
        message, hint = "not UTF-8: the line ends inside a character", "is the row cut off?"
    else:
        message = f"not UTF-8: byte 0x{byte:02x}; it looks like {encoding}"
        hint = f"convert the file: iconv -f {encoding} -t UTF-8"
    position = len(content[: error.start].decode("utf-8"))
    fault = Fault(FaultKind.ENCODING, message, position, hint)
    return DecodedLine(content.decode("utf-8", "replace"), None, (fault,))


def likely_encoding(content: bytes) -> str:
    """The name of the encoding that bytes which are no UTF-8 are most likely in."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or content.count(0) * 3 > len(content):
        return "UTF-16"
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
    if "\0" in text:
        return DecodedLine(text, None, (_with_nulls(text),))
    try:
        value = _lenient(text)
    except json.JSONDecodeError as error:
        return DecodedLine(text, None, (syntax_fault(text, error),))
    except RecursionError:
        return DecodedLine(text, None, (_TOO_DEEP,))
    if not isinstance(value, dict):
        return DecodedLine(text, None, (_not_an_object(text, value),))
    if _is_too_deep(text):
        return DecodedLine(text, None, (_TOO_DEEP,))
    faults = [*_duplicate_keys(text), *_bad_numbers(text), *_lone_surrogates(text, value)]
    return DecodedLine(
        text, _printable(text), tuple(sorted(faults, key=lambda fault: fault.position))
    )


_TOO_DEEP = Fault(
    FaultKind.SYNTAX, f"nested more than {DEEPEST} levels deep", 0, "is this line a row?"
)


def _is_too_deep(text: str) -> bool:
    if text.count("{") + text.count("[") <= DEEPEST:
        return False
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
        if depth > DEEPEST:
            return True
    return False


_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)


def _with_nulls(text: str) -> Fault:
    if not text.strip("\0\r\n"):
        # What a file system leaves of a write that a crash cut off.
        told = "the line is nothing but null bytes; a write was probably cut off"
        return Fault(FaultKind.ENCODING, told, 0, "restore the file, or remove the null bytes")
    return Fault(
        FaultKind.ENCODING,
        "not UTF-8: every other byte is null; it looks like UTF-16"
        if text.count("\0") * 3 > len(text)
        else "a null byte",
        text.index("\0"),
        "convert the file to UTF-8",
    )


_LITERAL = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?', re.DOTALL
)


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
        elif isinf(float(literal)) or len(literal) > LONGEST_INTEGER:
            shown = literal if len(literal) <= 20 else f"{literal[:17]}…"
            yield Fault(
                FaultKind.NUMBER,
                f"{shown} is out of range",
                match.start(),
                "write a number that a double holds, or a text",
            )


def _lone_surrogates(text: str, value: Any) -> Iterable[Fault]:
    for path, is_key, string in _strings(value):
        if _SURROGATE.search(string):
            span = key_span(text, path) if is_key else value_span(text, path)
            yield Fault(
                FaultKind.SURROGATE,
                "half of a surrogate pair: no character",
                span.start if span else 0,
                "write the character itself, or both halves of its pair",
            )


def _strings(value: Any) -> Iterable[tuple[tuple[str | int, ...], bool, str]]:
    """Every text in a value with its path, and whether it is the key that the path ends in."""
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, str):
            yield path, False, node
        elif isinstance(node, dict):
            yield from (((*path, key), True, key) for key in node)
            pending.extend(((*path, key), child) for key, child in node.items())
        elif isinstance(node, list):
            pending.extend(((*path, index), child) for index, child in enumerate(node))


_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def _printable(text: str) -> dict[str, Any]:
    """The object of a valid text, with U+FFFD for every half of a pair.

    A message or report that named such a value could not be written.
    """
    value: dict[str, Any] = _lenient(
        _ESCAPE.sub(lambda match: r"\ufffd" if match[1] else match[0], text)
    )
    return value
