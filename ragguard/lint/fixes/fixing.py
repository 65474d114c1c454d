"""Fixes applied until none is left, in copies; what is linted last is what would be written."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from ragguard.dataset.files import real_path
from ragguard.lint.diagnostic import Diagnostic, Edit, Fix
from ragguard.lint.fixes.changed_file import ChangedFile
from ragguard.lint.result import LintPart, LintResult, SourceFile

MOST_ROUNDS = 20
"""One fix can show the next (a trimmed id becomes a twin); more than a few follow from a defect."""


class Fixing:
    """What was linted, and the files that change while it is fixed.

    No file but copies of changed ones is written.

    Attributes:
        parts: as linted last.
        lacking: labels of reviewed queries whose hash nobody knows, by query id.
    """

    def __init__(self, parts: Sequence[LintPart], folder: Path) -> None:
        """Begin with nothing fixed.

        Args:
            parts: what was linted; a file may belong to several.
            folder: where copies go; they must stay while the parts may be linted again.
        """
        self.parts = tuple(parts)
        self.lacking: dict[str, tuple[str, ...]] = {}
        self._folder = folder
        self._files: dict[Path, ChangedFile] = {}
        self._stand_ins: dict[Path, Path] = {}

    @property
    def files(self) -> tuple[ChangedFile, ...]:
        """The files that change."""
        return tuple(self._files.values())

    def fix(self, *, unsafe_fixes: bool = False) -> None:
        """Apply the fixes of every file, and lint again, until none is left.

        Args:
            unsafe_fixes: whether to apply those that need judgment, too.

        Raises:
            InputError: a file cannot be read any more, is no longer the one that was linted, or
                there is no room for a copy.
        """
        for _ in range(MOST_ROUNDS):
            touched: set[Path] = set()
            for part in self.parts:
                for source, fixes in _fixes_by_file(part.result, unsafe_fixes):
                    if real_path(source.path) not in touched:
                        touched.add(real_path(source.path))
                        self._apply(source, fixes).fixes += len(fixes)
            if not touched:
                break
            self._look_again(touched)

    def record(self, query_ids: Collection[str]) -> None:
        """Record the hashes of the labels of queries that a person has reviewed.

        Raises:
            UsageError, InputError: as `recordings`, and as `fix`.
        """
        from ragguard.lint.fixes.reviewing import recordings

        sources = {
            real_path(source.path): source for part in self.parts for source in part.result.files
        }
        touched: set[Path] = set()
        for recording in recordings(sources.values(), self._stand_ins, query_ids):
            self.lacking.update(recording.lacking)
            if recording.edits:
                self._apply(recording.source, recording.edits).reviews += len(recording.edits)
                touched.add(real_path(recording.source.path))
        self._look_again(touched)

    def _apply(self, source: SourceFile, edits: Iterable[tuple[Edit, ...]]) -> ChangedFile:
        file = self._files.setdefault(real_path(source.path), ChangedFile(source))
        file.apply(edits)
        return file

    def _look_again(self, touched: Collection[Path]) -> None:
        numbers = {real: str(number) for number, real in enumerate(self._files)}
        for real in touched:
            self._stand_ins[real] = self._folder / numbers[real]
            self._files[real].write_copy(self._stand_ins[real])
        self.parts = tuple(
            part.again(self._stand_ins) if _has_any(part.result, touched) else part
            for part in self.parts
        )


def _has_any(result: LintResult, files: Collection[Path]) -> bool:
    return any(real_path(source.path) in files for source in result.files)


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
    """The edits of as many fixes as touch nothing of each other, each once."""
    taken: list[tuple[int, int]] = []
    for edits in sorted({fix.edits for fix in fixes}, key=_extent):
        if all(_is_free(edit, taken) for edit in edits):
            for edit in edits:
                insort(taken, _extent((edit,)))
            yield edits


def _extent(edits: tuple[Edit, ...]) -> tuple[int, int]:
    """Where the first edit begins and ends; one that only inserts takes its place, too."""
    return edits[0].start, max(edits[0].end, edits[0].start + 1)


def _is_free(edit: Edit, taken: list[tuple[int, int]]) -> bool:
    start, end = _extent((edit,))
    after = bisect_left(taken, (end,))
    return after == 0 or taken[after - 1][1] <= start
