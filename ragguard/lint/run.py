"""A lint command line carried out: targets found, configurations read, everything looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.config.discovery import CONFIG_NAME, shown_path
from ragguard.config.model import LintSettings
from ragguard.dataset.files import exists
from ragguard.errors import ConfigError, UsageError
from ragguard.lint.engine import NO_CORPUS, lint_config
from ragguard.lint.realm import Realm
from ragguard.lint.registry import RULES
from ragguard.lint.request import LintRequest
from ragguard.lint.result import LintPart, LintResult
from ragguard.lint.selection import Selection
from ragguard.lint.targets import (
    ConfiguredPaths,
    find_targets,
    lone_config,
    piped_target,
    touched_suites,
)

if TYPE_CHECKING:
    from ragguard.lint.fixes.changed_file import ChangedFile
    from ragguard.lint.ignores.ignore_list import IgnoreList
    from ragguard.lint.piped import Look

_BAD_CONFIGURATION = next(rule for rule in RULES if rule.code == "RG901")


@dataclass(frozen=True, slots=True)
class LintRun:
    """What was found, by the rules that ran.

    Attributes:
        parts: each configuration and lone file.
        unsafe_fixes: whether fixes that need judgment count as safe.
    """

    parts: tuple[LintPart, ...]
    notes: tuple[str, ...] = ()
    unsafe_fixes: bool = False

    @property
    def result(self) -> LintResult:
        """Everything as one result."""
        found = LintResult.joined(
            [*(part.result for part in self.parts), LintResult(notes=self.notes)]
        )
        found = replace(found, notes=tuple(_gathered(found.notes)))
        return found.with_all_fixes_safe() if self.unsafe_fixes else found

    def fixed(self, folder: Path, reviewed: Collection[str] = ()) -> FixedRun:
        """What linting finds once everything is fixed, and the files that fixes change.

        Nothing is written but copies of those files.

        Args:
            folder: where the copies go; they must stay until this returns.
            reviewed: queries whose labels a person has reviewed.

        Raises:
            UsageError: there is no such query, or no corpus that knows what was reviewed.
            InputError: a file cannot be read any more, or is no longer the one that was linted.
        """
        from ragguard.lint.fixes.fixing import Fixing

        fixing = Fixing(self.parts, folder)
        fixing.fix(unsafe_fixes=self.unsafe_fixes)
        if reviewed:
            fixing.record(reviewed)
        return FixedRun(replace(self, parts=fixing.parts), fixing.files, fixing.lacking)


@dataclass(frozen=True, slots=True)
class FixedRun:
    """What is found once everything is fixed.

    Attributes:
        files: those that change; writing them is left to the caller.
        lacking: labels of reviewed queries whose hash nobody knows, by query id.
    """

    run: LintRun
    files: tuple[ChangedFile, ...]
    lacking: Mapping[str, tuple[str, ...]]


def _gathered(notes: Iterable[str]) -> Iterator[str]:
    """The notes, with one for all suites and files that lack a corpus for the same rules."""
    lacking: dict[str, list[str]] = {}
    for note in notes:
        name, has_none, skipped = note.partition(NO_CORPUS)
        if has_none:
            lacking.setdefault(skipped, []).append(name)
        else:
            yield note
    for skipped, (name, *others) in lacking.items():
        more = f" and {len(others)} more have no corpus: " if others else NO_CORPUS
        yield f"{name}{more}{skipped}"


def run(request: LintRequest) -> LintRun:
    """Carry out a request.

    Raises:
        UsageError, ConfigError: it cannot be acted on. What is wrong inside a configuration is a
            finding (RG901).
    """
    if request.corpus is not None and not exists(request.corpus):
        raise UsageError(
            f"the manifest {shown_path(request.corpus)} does not exist",
            hint="name it with --corpus, or leave the option out",
        )
    targets = (
        find_targets(request.paths, request.config, Path.cwd(), by_hook=request.by_hook)
        if request.piped is None
        else piped_target(request.piped, request.config)
    )
    parts = [part for target in targets.configured for part in _configured(target, request)]
    alone = request.selection(LintSettings())
    parts.extend(_alone(request, path, alone) for path in targets.files)
    return LintRun(tuple(parts), targets.notes, request.unsafe_fixes)


def renewed_ignore_lists(request: LintRequest, reason: str) -> list[tuple[IgnoreList, IgnoreList]]:
    """The lists that cover everything that is found, each as it was and as it would be.

    Args:
        request: what is asked for; an entry that this does not look at stays as it is.
        reason: of the entries that are new.

    Raises:
        UsageError: no configuration governs what is asked for.
        ConfigError: a configuration or a list cannot be read, or is not valid.
        RagguardError: something cannot be read, so that nothing is known about its findings.
    """
    targets = find_targets(request.paths, request.config, Path.cwd(), by_hook=request.by_hook)
    if targets.files:
        raise UsageError(
            f"no {CONFIG_NAME} governs {shown_path(targets.files[0])}: no list to add to",
            hint=f"write a {CONFIG_NAME}; the list stands beside it",
        )
    lists = []
    for target in targets.configured:
        realm = Realm.of(target, request, may_lack=True)
        result = realm.look(request)
        for fault in result.faults:
            raise fault
        lists.append((realm.ignoring.ignores, realm.ignoring.renewed(result, reason)))
    return lists


def _alone(request: LintRequest, path: Path, selection: Selection) -> LintPart:
    """A file that belongs to no suite."""
    config = lone_config(path, request.corpus)

    def look(stand_ins: Mapping[Path, Path]) -> LintResult:
        return lint_config(config, selection, base=request.base, stand_ins=stand_ins)

    return _part(request, look)


def _part(request: LintRequest, look: Look) -> LintPart:
    look = look if request.piped is None else request.piped.looking(look)
    return LintPart(look({}), look)


def _told(result: LintResult) -> LintPart:
    """A part in which there is nothing to fix."""
    return LintPart(result, lambda _: result)


def _configured(target: ConfiguredPaths, request: LintRequest) -> Iterator[LintPart]:
    try:
        realm = Realm.of(target, request)
    except ConfigError as error:
        selection = request.selection(LintSettings())
        if error.location is None or error.location.line is None:
            raise
        if _BAD_CONFIGURATION.code not in selection.codes:
            raise
        yield _told(LintResult(tuple(_BAD_CONFIGURATION.diagnostics(error))))
        return
    if target.paths and not realm.named:
        yield _told(LintResult(notes=tuple(_excluded_notes(target))))
        return

    def look(stand_ins: Mapping[Path, Path]) -> LintResult:
        return realm.ignoring.applied(realm.look(request, stand_ins))

    yield _part(request, look)
    yield from _outside(realm, request)


def _excluded_notes(target: ConfiguredPaths) -> Iterator[str]:
    """Told only when nothing else is linted: a hook names files by the dozen."""
    for path in target.paths or ():
        yield f"{shown_path(path)} is excluded in {shown_path(target.config)}"


def _outside(realm: Realm, request: LintRequest) -> Iterator[LintPart]:
    """With --corpus a file that belongs to no suite is meant: nobody hands a log a manifest."""
    if request.corpus is None:
        return
    for path in realm.named or ():
        if path.is_file() and not touched_suites(realm.config, [path]):
            yield _alone(request, path, realm.selection)
