"""The places that findings point at, cut out of their lines: one streamed pass over each file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ragguard.dataset.decoding import decode
from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.dataset.mapping import FieldMapping
from ragguard.errors import InputError
from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.result import LintResult, SourceFile
from ragguard.lint.rules.secret_in_query import CODE as SECRET

REACH = 120
"""Code points that are kept on either side of a place; a line can be megabytes long."""

_VALUE = re.compile(
    r"""
      "[^"\\]*+(?:\\.[^"\\]*+)*+"     # a text of JSON
    | '[^']*+'                        # a text of YAML, or of someone who writes JSON by hand
    | [^\s,:"'\[\]{}]+                # a number, a word, an id in a list
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of the line that a finding points at.

    Attributes:
        text: the line around the place, at most `REACH` code points on either side.
        start: 1-based column of its first code point.
        length: code points of the value at the place, at least 1.
        is_cut: whether the line goes on after it.
        digest: of the whole line; the same line has the same wherever it stands.
    """

    text: str
    start: int
    length: int
    is_cut: bool
    digest: str


def excerpts(result: LintResult) -> Iterator[Excerpt | None]:
    """One for each finding of a result, in order, read as they are asked for.

    None where there is nothing to show: a finding without a column, a blank line, a row that is
    private, a line that holds a secret, a file that cannot be read (any more).
    """
    sources = {source.shown: source for source in result.files}
    faulty = {fault.location.file for fault in result.faults if fault.location}
    for shown, found in groupby(result.diagnostics, key=lambda each: each.location.file):
        if shown in faulty:  # whether its rows are private is not known for sure
            yield from (None for _ in found)
        else:
            yield from _of_file(shown, sources.get(shown), tuple(found))


def _of_file(
    shown: str, source: SourceFile | None, found: tuple[Diagnostic, ...]
) -> Iterator[Excerpt | None]:
    secret = {each.location.line for each in found if each.code == SECRET}
    wanted = {each.location.line for each in found if each.location.line} - secret
    mapping = FieldMapping(source.suite.fields if source else {})
    lines = _wanted_lines(source.path if source else Path(shown), shown, wanted)
    line: SourceLine | None = None
    text: str | None = None
    for each in found:
        number = each.location.line or 0
        while line is None or line.number < number:
            line = next(lines, None)
            if line is None:
                break
            text = _showable(line, mapping)
        here = line is not None and line.number == number and text is not None
        yield _cut(text or "", each.location.column) if here else None


def _wanted_lines(path: Path, shown: str, wanted: Iterable[int]) -> Iterator[SourceLine]:
    numbers = frozenset(wanted)
    last = max(numbers, default=0)
    try:
        for line in read_lines(path, shown):
            if line.number in numbers:
                yield line
            if line.number >= last:
                return
    except InputError:
        return  # it was read a moment ago; the findings stand without their lines


def _showable(line: SourceLine, mapping: FieldMapping) -> str | None:
    """The text of a line, None for one that is blank or private."""
    content = line.content
    if not content.strip() or _is_private(content, mapping):
        return None
    return content.decode("utf-8", "replace")


def _is_private(content: bytes, mapping: FieldMapping) -> bool:
    """Whether a row is private; a line that is no sound row is judged by its letters."""
    names = {"private", mapping.path_of("private")[-1]}
    if b"\\u" not in content and not any(name.encode() in content for name in names):
        return False
    decoded = decode(content)
    value = decoded.value
    if value is not None and (_says_private(value) or _says_private(mapping.canonical(value))):
        return True
    return bool(decoded.faults) and any(_may_say(name, decoded.text) for name in names)


def _may_say(name: str, text: str) -> bool:
    key = rf"""\b{re.escape(name)}["']?\s*+[:=]\s*+(?!false|null|none)"""
    return re.search(key, text, re.IGNORECASE) is not None


def _says_private(row: Mapping[str, object]) -> bool:
    return row.get("private") not in (None, False)


def _cut(text: str, column: int | None) -> Excerpt | None:
    if column is None:
        return None
    place = min(column - 1, len(text))
    start, end = max(0, place - REACH), min(len(text), place + REACH)
    value = _VALUE.match(text, place)
    length = value.end() - place if value else 1
    from hashlib import blake2b

    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return Excerpt(text[start:end], start + 1, length, end < len(text), digest)
