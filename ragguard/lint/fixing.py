"""Safe fixes applied to the bytes of a file; every other byte stays as it is."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ragguard.atomic import replace_file
from ragguard.errors import InputError
from ragguard.lint.diagnostic import Diagnostic, Edit
from ragguard.lint.file_check import FileCheck
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintResult, SourceFile
from ragguard.lint.selection import Selection
from ragguard.location import Location

MOST_PASSES = 10
"""One fix can show the next (a trimmed id becomes a twin); more than a few follow from a defect."""


_FIXABLE = frozenset(rule.code for rule in RULES if rule.is_fixable)


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file as it is and as its fixes leave it.

    Attributes:
        fixes: how many findings are gone.
    """

    source: SourceFile
    before: bytes
    after: bytes
    fixes: int


def fixed_files(result: LintResult, selection: Selection) -> Iterator[FixedFile]:
    """Every file of a result that has safe fixes, with all of them applied; nothing is written.

    Args:
        result: the findings; only codes that have a fix in it are fixed.
        selection: the rules that run.

    Raises:
        InputError: a file cannot be read any more.
    """
    for source in result.files:
        found = [each for each in result.diagnostics if each.location.file == source.shown]
        fixable = {each.code for each in found if each.fix is not None}
        if fixable:
            # A fix may bring up findings of a rule that had none; one whose fixes were all taken
            # back by the engine stays as it is.
            unsafe = {each.code for each in found} - fixable
            codes = (selection.codes & _FIXABLE) - unsafe - source.ignored
            yield _fixed(source, Selection(codes), found)


def write(files: Iterable[FixedFile]) -> None:
    """Put the fixed bytes in place of the files, each whole or not at all.

    Raises:
        InputError: a file cannot be written.
    """
    for file in files:
        try:
            replace_file(file.source.path, file.after)
        except OSError as error:
            raise InputError(
                f"cannot write the fixed file: {error.strerror or error}",
                location=Location(file.source.shown),
            ) from error


def _fixed(source: SourceFile, selection: Selection, found: Collection[Diagnostic]) -> FixedFile:
    before = content = source.path.read_bytes()
    fixes = 0
    with tempfile.TemporaryDirectory(prefix="ragguard-") as folder:
        copy = Path(folder) / "dataset"
        for _ in range(MOST_PASSES):
            edits = list(_compatible(found))
            if not edits:
                break
            content = _apply(content, [edit for fix in edits for edit in fix])
            fixes += len(edits)
            copy.write_bytes(content)
            found = _look_again(copy, source, selection)
    return FixedFile(source, before, content, fixes)


def _look_again(copy: Path, source: SourceFile, selection: Selection) -> list[Diagnostic]:
    try:
        found = list(FileCheck(source.suite, selection).diagnostics(copy, source.shown))
    except InputError:
        return []  # nothing but blank lines was in it
    return [each for each in found if each.fix and each.fix.query_id not in source.taken]


def _compatible(found: Iterable[Diagnostic]) -> Iterator[tuple[Edit, ...]]:
    """The edits of as many fixes as touch nothing of each other, in file order."""
    fixes = [each.fix.edits for each in found if each.fix is not None and each.fix.edits]
    end = -1
    for edits in sorted(fixes, key=lambda edits: (edits[0].start, edits[0].end)):
        if edits[0].start >= end:
            yield edits
            end = max(edits[-1].end, edits[0].start + 1)


def _apply(content: bytes, edits: Iterable[Edit]) -> bytes:
    parts, position = [], 0
    for edit in edits:
        parts += [content[position : edit.start], edit.replacement]
        position = edit.end
    return b"".join([*parts, content[position:]])


def unified_diff(file: FixedFile) -> str:
    """What fixing changes, as `diff -u` shows it; bytes that are no UTF-8 are replaced."""
    lines = difflib.unified_diff(
        _lines(file.before), _lines(file.after), file.source.shown, file.source.shown
    )
    marked = (
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return "".join(marked)


def _lines(content: bytes) -> list[str]:
    *whole, rest = content.decode("utf-8", "replace").split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])
