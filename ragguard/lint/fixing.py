"""Fixes applied until none is left, in copies; what is linted last is what would be written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ragguard.lint.changed_file import ChangedFile
from ragguard.lint.diagnostic import Diagnostic, Edit, Fix
from ragguard.lint.result import LintPart, LintResult, SourceFile

MOST_ROUNDS = 20
"""One fix can show the next (a trimmed id becomes a twin); more than a few follow from a defect."""


def fix_all(
    parts: Sequence[LintPart], folder: Path, *, unsafe_fixes: bool = False
) -> tuple[tuple[LintPart, ...], tuple[ChangedFile, ...]]:
    """Fix every file of what was linted, and lint again, until no fix is left.

    No file but copies of changed ones is written.

    Args:
        parts: what was linted; a file may belong to several.
        folder: where the copies go.
        unsafe_fixes: whether to apply fixes that need judgment, too.

    Returns:
        The parts as linted last, and the files that change.

    Raises:
        InputError: a file cannot be read any more, is no longer the one that was linted, or there
            is no room for a copy.
    """
    files: dict[Path, ChangedFile] = {}
    stand_ins: dict[Path, Path] = {}
    current = tuple(parts)
    for _ in range(MOST_ROUNDS):
        touched: set[Path] = set()
        for part in current:
            for source, fixes in _fixes_by_file(part.result, unsafe_fixes):
                real = source.path.resolve()
                if real not in touched:
                    touched.add(real)
                    files.setdefault(real, ChangedFile(source)).apply(fixes)
        if not touched:
            break
        for real in touched:
            stand_ins[real] = folder / str(list(files).index(real))
            files[real].write_copy(stand_ins[real])
        current = tuple(
            part.again(stand_ins) if _has_any(part.result, touched) else part for part in current
        )
    return current, tuple(files.values())


def _has_any(result: LintResult, files: set[Path]) -> bool:
    return any(source.path.resolve() in files for source in result.files)


def _fixes_by_file(
    result: LintResult, unsafe_fixes: bool
) -> Iterator[tuple[SourceFile, list[tuple[Edit, ...]]]]:
    """The files that have fixes, each with as many of them as can be applied at once."""
    by_file: dict[str, list[Diagnostic]] = {}
    for found in result.diagnostics:
        if found.fix is not None and found.fix.edits and (found.fix.is_safe or unsafe_fixes):
            by_file.setdefault(found.location.file, []).append(found)
    for source in result.files:
        fixes = list(_compatible(_chosen(by_file.get(source.shown, ()))))
        if fixes:
            yield source, fixes


def _chosen(found: Iterable[Diagnostic]) -> Iterator[Fix]:
    """The fixes of the kinds that are each line's turn.

    Fixes of one rule know of each other. Those of two may make one id of two, or a twin key: on a
    line that has safe ones these come first, and of those that need judgment one rule's at a time;
    the next round sees what they leave.
    """
    by_line: dict[int | None, list[tuple[str, Fix]]] = {}
    for each in found:
        if each.fix is not None:
            by_line.setdefault(each.location.line, []).append((each.code, each.fix))
    for fixes in by_line.values():
        safe = [fix for _, fix in fixes if fix.is_safe]
        first = min(code for code, _ in fixes)
        yield from safe or (fix for code, fix in fixes if code == first)


def _compatible(fixes: Iterable[Fix]) -> Iterator[tuple[Edit, ...]]:
    """The edits of as many fixes as touch nothing of each other, in file order."""
    end = -1
    for fix in sorted(fixes, key=lambda fix: (fix.edits[0].start, fix.edits[0].end)):
        if fix.edits[0].start >= end:
            yield fix.edits
            end = max(fix.edits[-1].end, fix.edits[0].start + 1)
