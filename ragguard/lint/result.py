"""What linting found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragguard.atomic import FileState
from ragguard.config.model import Suite
from ragguard.dataset.files import real_path
from ragguard.errors import RagguardError
from ragguard.lint.diagnostic import Diagnostic, Fix, Severity
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A dataset that was linted.

    Attributes:
        shown: its name in diagnostics.
        suite: the suite it belongs to; of several the last.
        state: what it was when linting began to read it; None when that could not be told.
        is_compressed: whether it is gzip, which no fix rewrites.
        is_shared: whether several suites have it.
        corpora: the manifests of its suites that are there.
    """

    path: Path
    shown: str
    suite: Suite
    state: FileState | None = None
    is_compressed: bool = False
    is_shared: bool = False
    corpora: frozenset[Path] = frozenset()

    def also_of(self, other: SourceFile) -> SourceFile:
        """The same file as another suite has it, too."""
        return replace(
            self,
            is_shared=self.is_shared or other.is_shared or self.suite != other.suite,
            corpora=self.corpora | other.corpora,
        )


@dataclass(frozen=True, slots=True)
class LintResult:
    """The findings, and how much was looked at.

    Attributes:
        diagnostics: by file, line and column.
        files: datasets that were read.
        rows: lines that hold something, in all of them.
        notes: what was not checked, and why.
        faults: what could not be read at all.
        ignored: how many more findings there are that a list ignores, by the list's name.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    files: tuple[SourceFile, ...] = ()
    rows: int = 0
    notes: tuple[str, ...] = ()
    faults: tuple[RagguardError, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def joined(cls, results: Iterable[LintResult]) -> LintResult:
        """Several results as one; what two of them share counts once."""
        listed = list(results)
        files: dict[Path, SourceFile] = {}
        for file in (file for result in listed for file in result.files):
            known = files.get(real_path(file.path))
            files[real_path(file.path)] = file.also_of(known) if known else file
        found: Iterable[Diagnostic] = dict.fromkeys(
            each for result in listed for each in result.diagnostics
        )
        shared = {file.shown for file in files.values() if file.is_shared}
        if shared:
            found = dict.fromkeys(agreed(found, listed, shared))
        faults = {str(fault): fault for result in listed for fault in result.faults}
        return cls(
            diagnostics=in_order(found),
            files=tuple(files.values()),
            rows=sum(result.rows for result in listed),
            notes=tuple(dict.fromkeys(note for result in listed for note in result.notes)),
            faults=tuple(faults.values()),
            ignored=sum((Counter(result.ignored) for result in listed), Counter()),
        )

    def count(self, severity: Severity) -> int:
        """How many findings are of this severity."""
        return sum(each.severity is severity for each in self.diagnostics)

    @property
    def fixable(self) -> int:
        """How many findings have a safe fix."""
        return sum(each.fix is not None and each.fix.is_safe for each in self.diagnostics)

    @property
    def unsafely_fixable(self) -> int:
        """How many findings have a fix that needs a person's judgment."""
        return sum(each.fix is not None and not each.fix.is_safe for each in self.diagnostics)

    def with_all_fixes_safe(self) -> LintResult:
        """The same where a person has said that fixes which need judgment are wanted."""
        return replace(self, diagnostics=tuple(map(_with_safe_fix, self.diagnostics)))


def _with_safe_fix(found: Diagnostic) -> Diagnostic:
    return found if found.fix is None else replace(found, fix=replace(found.fix, is_safe=True))


@dataclass(frozen=True, slots=True)
class LintPart:
    """One configuration or lone file that was linted, and how to do it again.

    Attributes:
        look: lints it, with files that are read in place of datasets by their resolved paths.
    """

    result: LintResult
    look: Callable[[Mapping[Path, Path]], LintResult]

    def again(self, stand_ins: Mapping[Path, Path]) -> LintPart:
        """The same, linted with other contents."""
        return replace(self, result=self.look(stand_ins))


def agreed(
    found: Iterable[Diagnostic], results: Iterable[LintResult], shared: Collection[str]
) -> Iterator[Diagnostic]:
    """The findings, without the fixes in which the suites of a file do not agree.

    Args:
        found: what was found in any of the suites.
        results: what was found in each.
        shared: names of the files that belong to several suites.
    """
    listed = list(results)
    owners = Counter(file.shown for result in listed for file in result.files)
    offers: dict[tuple[str, Location], list[Fix | None]] = {}
    for each in (each for result in listed for each in result.diagnostics):
        if each.location.file in shared:
            offers.setdefault((each.code, each.location), []).append(each.fix)
    for each in found:
        offered = offers.get((each.code, each.location))
        if each.fix is None or offered is None:
            yield each
            continue
        # What is safe may be news to one of them; what needs judgment may break the other one.
        suites_asked = 1 if each.fix.is_safe else owners[each.location.file]
        if len(offered) >= suites_asked and all(fix == each.fix for fix in offered):
            yield each
        else:
            yield each.without_fix("the suites that have this file differ in it")


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics by file, line, column and code."""
    return tuple(sorted(diagnostics, key=_place))


def _place(found: Diagnostic) -> tuple[str, int, int, str]:
    where = found.location
    return where.file, where.line or 0, where.column or 0, found.code
