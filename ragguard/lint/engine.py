"""Suites and files looked at by every rule that runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from ragguard.atomic import FileState
from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, Suite
from ragguard.dataset.files import exists, real_path
from ragguard.dataset.lines import refuse_stream
from ragguard.errors import FaultyInputError, InputError, RagguardError
from ragguard.lint.configured_paths import MissingPath
from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.file_check import FileCheck
from ragguard.lint.finding import quoted
from ragguard.lint.fixes.forbidden import needs_corpus, without_forbidden
from ragguard.lint.registry import BLOCKING, RULES
from ragguard.lint.result import LintResult, SourceFile, in_order
from ragguard.lint.rule import Scope
from ragguard.lint.selection import Selection
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.lint.targets import suite_files
from ragguard.location import Location

_COMPRESSED = "gzip is not rewritten: unpack the file for --fix"
NO_CORPUS = " has no corpus: "
"""What a note says between the name of a suite and the rules that are skipped for it."""
_GZIP_MAGIC = b"\x1f\x8b"


def lint_config(  # noqa: PLR0913 - each of its own kind, and by name
    config: Config,
    selection: Selection,
    suites: Iterable[Suite] | None = None,
    *,
    base: str | None = None,
    today: date | None = None,
    stand_ins: Mapping[Path, Path] | None = None,
) -> LintResult:
    """Lint suites of a configuration, each with all of its files.

    Args:
        config: the configuration.
        selection: the rules that run.
        suites: which of its suites; None for all.
        base: the branch, tag or commit that suites are compared with; None for no comparison.
        today: the day for which dates in rows are judged; None for the day it is.
        stand_ins: by resolved path of a dataset a file that is read in its place; in diagnostics
            it keeps its name.

    Returns:
        The findings. What cannot be read is among its faults, and hides nothing else.

    Raises:
        UsageError: the repository has no such base.
    """
    chosen = config.suites.values() if suites is None else suites
    day = today or datetime.now(UTC).date()
    facts = (SuiteFacts(suite, config, day) for suite in chosen)
    return LintResult.joined(_SuiteRun(each, selection, stand_ins, base).result() for each in facts)


def blocking_diagnostics(suite: Suite, config: Config) -> tuple[Diagnostic, ...]:
    """The findings that stop an evaluation of a suite: rows that cannot be read or told apart.

    Raises:
        InputError: a file of it cannot be read, or holds no row.
    """
    alone = replace(suite, corpus=None)
    # No blocking rule looks at the day.
    result = _SuiteRun(SuiteFacts(alone, config, date.min), Selection(BLOCKING)).result()
    for fault in result.faults:
        raise fault
    return result.diagnostics


class _SuiteRun:
    """The linting of one suite."""

    def __init__(
        self,
        facts: SuiteFacts,
        selection: Selection,
        stand_ins: Mapping[Path, Path] | None = None,
        base: str | None = None,
    ) -> None:
        self._facts = facts
        self._suite = facts.suite
        self._config = facts.config
        self._selection = selection
        self._stand_ins = stand_ins or {}
        self._base = base
        self._check = FileCheck(facts.suite, selection, facts)
        facts.codes = selection.codes
        self._faults: list[RagguardError] = []
        self._files: list[SourceFile] = []
        self._notes: list[str] = []
        self._compressed: set[str] = set()

    def result(self) -> LintResult:
        """Everything found; a file that cannot be read hides no other."""
        matched = suite_files(self._suite, self._config.root, self._stand_ins)
        missing = [
            MissingPath(self._suite.name, "dataset", pattern) for pattern in matched.unmatched
        ]
        found: list[Diagnostic] = []
        files = [path for path in matched.files if not self._is_excluded(path)]
        if matched.files and not files:
            self._notes.append(f"every file of {self._suite.name} is excluded")
        if not self._selection.looks_into_files:
            files = []
        for path in files:
            self._guard(found, lambda path=path: self._look_at_file(path))  # type: ignore[misc]
        missing += self._missing_corpus()
        if files and (self._read_corpus_wanted() or self._may_forbid(found)):
            self._corpus(found)
        self._read_base()
        for rule in self._selection.by_scope[Scope.SUITE]:
            self._guard(found, lambda rule=rule: rule.diagnostics(self._facts))  # type: ignore[misc]
        if missing:
            found += self._missing(missing)
        taken = self._taken_ids(found)
        return LintResult(
            diagnostics=in_order(_without_twins(self._kept(found), taken)),
            files=tuple(self._files),
            rows=self._check.rows,
            notes=(*self._notes, *self._facts.notes),
            faults=tuple(self._faults),
        )

    def _is_excluded(self, path: Path) -> bool:
        return self._selection.excludes(path, self._config.root)

    def _guard(self, found: list[Diagnostic], look: Callable[[], Iterable[Diagnostic]]) -> None:
        try:
            for each in look():
                found.append(each)  # noqa: PERF402 - what came before a fault is kept
        except RagguardError as fault:
            self._faults.append(fault)

    def _look_at_file(self, path: Path) -> Iterator[Diagnostic]:
        shown = shown_path(path)
        # Before the first byte is read: whoever writes it later is noticed.
        state = _state(path)
        content = self._stand_ins.get(real_path(path), path) if self._stand_ins else path
        try:
            self._facts.add_file(path, shown, content)
        except RagguardError as fault:
            self._faults.append(fault)
        is_compressed = _is_compressed(content)
        if is_compressed:
            self._compressed.add(shown)
        try:
            yield from self._check.diagnostics(content, shown)
        except MemoryError:
            raise _too_large(shown) from None
        source = SourceFile(path, shown, self._suite, state, is_compressed, corpora=self._corpora())
        self._files.append(source)

    def _corpora(self) -> frozenset[Path]:
        corpus = self._suite.corpus
        path = self._config.root / corpus if corpus else None
        return frozenset({path} if path is not None and exists(path) else ())

    def _read_corpus_wanted(self) -> bool:
        needing = frozenset(rule.code for rule in RULES if rule.needs_corpus)
        skipped = sorted(needing & self._selection.codes)
        if skipped and self._suite.corpus is None and self._selection.codes != BLOCKING:
            self._notes.append(f"{self._suite.name}{NO_CORPUS}{', '.join(skipped)} skipped")
        return bool(skipped) and self._suite.corpus is not None

    def _may_forbid(self, found: Iterable[Diagnostic]) -> bool:
        """Whether there is a fix of which only the corpus knows whether it is one."""
        return self._suite.corpus is not None and any(map(needs_corpus, found))

    def _missing_corpus(self) -> list[MissingPath]:
        written = self._suite.corpus
        if written is None or exists(self._config.root / written):
            return []
        return [MissingPath(self._suite.name, "corpus", written)]

    def _corpus(self, found: list[Diagnostic]) -> None:
        """Read what the manifest knows of the labels; fixes it forbids are taken back."""
        from ragguard.corpus.manifest import open_manifest

        path = self._config.root / (self._suite.corpus or "")
        if not exists(path):
            return
        try:
            manifest = open_manifest(path)
            hashed = self._facts.hashes if "RG304" in self._selection.codes else ()
            view = manifest.view(self._facts.labels, hashed)
        except RagguardError as fault:
            self._faults += fault.faults if isinstance(fault, FaultyInputError) else [fault]
            return
        self._facts.manifest, self._facts.view = manifest, view
        try:
            found[:] = without_forbidden(found, self._facts.labels, manifest, view)
        except RagguardError as fault:
            self._faults.append(fault)

    def _read_base(self) -> None:
        """Read what the suite was, when any rule that runs compares it."""
        needing = {rule.code for rule in RULES if rule.needs_base}
        if self._base is None or needing.isdisjoint(self._selection.codes):
            return
        from ragguard.lint.base.suite import read_base

        files = {file.path: file.content for file in self._facts.files}
        try:
            self._facts.base = read_base(self._suite, self._config, self._base, files)
        except InputError as fault:
            self._faults.append(fault)
        else:
            self._notes.extend(self._facts.base.notes)

    def _missing(self, missing: list[MissingPath]) -> list[Diagnostic]:
        rules = self._selection.by_scope[Scope.CONFIGURATION]
        return [
            found
            for rule in rules
            if rule.code == "RG902"
            for found in rule.diagnostics(self._config, missing)
        ]

    def _taken_ids(self, found: Iterable[Diagnostic]) -> frozenset[str]:
        """The query ids that fixes would give to one query while another has or gets them too."""
        fixes = (each.fix for each in found if each.fix is not None)
        given = Counter(fix.query_id for fix in fixes if fix.query_id is not None)
        several = {query_id for query_id, count in given.items() if count > 1}
        return self._facts.present(given) | several if given else frozenset()

    def _kept(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        for each in self._selection.applied(found, self._config):
            is_compressed = each.location.file in self._compressed
            yield each.without_fix(_COMPRESSED) if is_compressed else each


def _without_twins(found: Iterable[Diagnostic], taken: Collection[str]) -> Iterator[Diagnostic]:
    """The findings, without the fixes that give a query an id that is taken."""
    for each in found:
        if each.fix is None or each.fix.query_id not in taken:
            yield each
            continue
        told = f"{quoted(each.fix.query_id)} is, or would be, the id of another query too"
        yield replace(each, fix=None, hint=f"{told}: give one of them another id")


def _too_large(shown: str) -> InputError:
    return InputError(
        "not enough memory for one of its lines",
        location=Location(shown),
        hint="a row is one object on one line; is the file one JSON array, written on one line?",
    )


def _state(path: Path) -> FileState | None:
    try:
        return FileState.of(path.stat())
    except OSError:
        return None  # reading it says what is wrong


def _is_compressed(path: Path) -> bool:
    try:
        refuse_stream(path)
        with path.open("rb") as stream:
            return stream.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    except OSError:
        return False  # reading its rows says what is wrong
