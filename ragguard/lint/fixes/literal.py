"""JSON literals changed in place, every other byte left as it was."""

from __future__ import annotations

import json
import re

from ragguard.dataset.positions import Span, key_span, members
from ragguard.dataset.row import DatasetRow, Path
from ragguard.lint.diagnostic import Edit, Fix
from ragguard.lint.labels import NamedId

_CHARACTER = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_INTEGER = re.compile(r"-?[0-9]+")


def has_control(text: str) -> bool:
    """Whether a text holds a control character (Unicode's category Cc)."""
    return _CONTROL.search(text) is not None


def is_padding(character: str) -> bool:
    """Whether a character is white space or a control character."""
    return character.isspace() or has_control(character)


def trimmed(text: str) -> str:
    """The text without padding at its ends."""
    start, end = 0, len(text)
    while start < end and is_padding(text[start]):
        start += 1
    while end > start and is_padding(text[end - 1]):
        end -= 1
    return text[start:end]


def trim(row: DatasetRow, span: Span) -> Fix:
    """The fix that trims the JSON string at a span; escapes inside stay as they are written."""
    inside = row.text[span.start + 1 : span.end - 1]
    kept = _trimmed_escapes(inside) if "\\" in inside else trimmed(inside)
    return _replace(row, span, f'"{kept}"', "remove the white space around the id")


def _trimmed_escapes(inside: str) -> str:
    tokens = _CHARACTER.findall(inside)
    start, end = 0, len(tokens)
    while start < end and _is_padding_token(tokens[start]):
        start += 1
    while end > start and _is_padding_token(tokens[end - 1]):
        end -= 1
    return "".join(tokens[start:end])


def _is_padding_token(token: str) -> bool:
    return is_padding(json.loads(f'"{token}"'))


def quote(row: DatasetRow, span: Span) -> Fix | None:
    """The fix that puts an integer at a span in quotes; None when it is no plain integer."""
    literal = row.text[span.start : span.end]
    if not _INTEGER.fullmatch(literal):
        return None
    return _replace(row, span, f'"{literal}"', "put the id in quotes")


def remove_item(row: DatasetRow, span: Span) -> Fix:
    """The fix that removes an item of an array, which is not its first, with its comma."""
    start = row.text.rindex(",", 0, span.start)
    return _replace(row, Span(start, span.end), "", "remove the id that stands there twice")


def rewrite(row: DatasetRow, span: Span, text: str, description: str) -> Fix:
    """The fix that writes another text in place of the JSON string at a span.

    It is escaped as the old one is: to ASCII where that has such an escape.
    """
    escaped = "\\u" in row.text[span.start : span.end]
    return _replace(row, span, json.dumps(text, ensure_ascii=escaped), description)


def remove_member(row: DatasetRow, path: Path, description: str) -> Fix | None:
    """The fix that removes the member of an object that a path as written ends in, with a comma.

    None when there is no such member, or more than one.
    """
    written = members(row.text, path[:-1]) or []
    keys = [json.loads(row.text[key.start : key.end]) for key, _ in written]
    if keys.count(path[-1]) != 1:
        return None
    index = keys.index(path[-1])
    key, value = written[index]
    if index:
        span = Span(written[index - 1][1].end, value.end)
    else:
        span = Span(key.start, written[1][0].start if len(written) > 1 else value.end)
    return _replace(row, span, "", description)


def remove_row(row: DatasetRow, description: str) -> Fix:
    """The fix that removes a row with its line end."""
    line = row.line
    end = line.offset + len(line.raw) + line.is_terminated
    return Fix(description, (Edit(line.content_offset, end, b""),))


def span_of(named: NamedId) -> Span | None:
    """The characters that hold an id, its quotes included."""
    if named.is_key:
        return key_span(named.row.text, named.row.source_path(named.path))
    return named.row.span(*named.path)


def _replace(row: DatasetRow, span: Span, replacement: str, description: str) -> Fix:
    start, end = row.bytes_of(span)
    return Fix(description, (Edit(start, end, replacement.encode("utf-8", "surrogatepass")),))
