"""The form in which `--add-ignores` writes a list, and a quick way to read just that form.

A list may hold thousands of entries, and YAML is slow to read. What is written here is YAML of one
plain shape, which a regular expression reads too; anything else is left to the YAML parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragguard.lint.ignores.ignore_list import IgnoreEntry

HEADER = """\
# Lint findings that are known and kept, each with the reason. `ragguard lint` does not report them.
#
# `ragguard lint --add-ignores --reason TEXT` adds what is found today, keeps the reasons below, and
# removes what is no longer found. Edit reasons freely; other comments are not kept.
"""
_UNSAFE = r'"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff'
"""Characters that do not stand as they are in a quoted text of one line."""
_QUOTED = rf'"(?:[^{_UNSAFE}]|\\["\\]|\\u[0-9a-f]{{4}})*"'
_PLAIN = r"[A-Za-z_][A-Za-z0-9_./-]*"
_ENTRY = re.compile(
    rf"- code: (?P<code>RG[0-9]{{3}})\n"
    rf"  file: (?P<file>{_PLAIN}|{_QUOTED})\n"
    rf"(?:  query_id: (?P<query_id>{_QUOTED})\n)?"
    rf"  count: (?P<count>[1-9][0-9]{{0,8}})\n"
    rf"  reason: (?P<reason>{_QUOTED})\n"
)
_COMMENTS = re.compile(r"(?:#[^\n]*\n|\n)*")
_ESCAPED = re.compile(f"[{_UNSAFE}]")
_NOT_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that are no text in YAML, of whichever version."""


def ignores_text(entries: Iterable[IgnoreEntry]) -> str:
    """A list as it is written: by file, code and query; the same entries give the same text."""
    ordered = sorted(entries, key=lambda each: (each.file, each.code, each.query_id or ""))
    return HEADER + ("".join(map(_entry_text, ordered)) or "[]\n")


def _entry_text(entry: IgnoreEntry) -> str:
    is_plain = re.fullmatch(_PLAIN, entry.file) and entry.file.lower() not in _NOT_TEXT
    lines = [f"- code: {entry.code}", f"file: {entry.file if is_plain else _quoted(entry.file)}"]
    if entry.query_id is not None:
        lines.append(f"query_id: {_quoted(entry.query_id)}")
    lines += [f"count: {entry.count}", f"reason: {_quoted(entry.reason)}"]
    return "\n  ".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text in double quotes, on one line, with escapes that YAML and JSON read alike."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"


def quickly_read(text: str) -> list[tuple[dict[str, Any], int]] | None:
    """The entries of a list in the form that is written here, each with its line; else None."""
    comments = _COMMENTS.match(text)
    position = comments.end() if comments else 0
    line = text.count("\n", 0, position) + 1
    if text[position:] == "[]\n":
        return []
    entries = []
    while position < len(text):
        match = _ENTRY.match(text, position)
        if match is None or not match["reason"].strip('" '):
            return None
        entries.append((_raw(match), line))
        position = match.end()
        line += 4 if match["query_id"] is None else 5
    return entries


def _raw(match: re.Match[str]) -> dict[str, Any]:
    raw: dict[str, Any] = {
        name: json.loads(value) if value.startswith('"') else value
        for name, value in match.groupdict().items()
        if value is not None and name != "count"
    }
    return raw | {"count": int(match["count"])}
