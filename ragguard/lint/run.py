"""A lint command line carried out: targets found, configurations read, everything looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, LintSettings, Suite
from ragguard.config.reading import read_config
from ragguard.dataset.files import exists
from ragguard.errors import ConfigError, UsageError
from ragguard.lint.engine import lint_config
from ragguard.lint.known_codes import check_codes
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintPart, LintResult
from ragguard.lint.selection import Choice, Selection
from ragguard.lint.targets import (
    ConfiguredPaths,
    find_targets,
    lone_config,
    touched_suites,
    with_corpus,
)

if TYPE_CHECKING:
    from ragguard.lint.changed_file import ChangedFile

_BAD_CONFIGURATION = next(rule for rule in RULES if rule.code == "RG901")


@dataclass(frozen=True, slots=True)
class LintRequest:
    """What is asked for.

    Attributes:
        paths: files and folders; empty for all that the configuration names.
        config: the configuration, None to look for it.
        corpus: a manifest in place of the configured ones.
        choice: the rules chosen.
        unsafe_fixes: whether fixes that need judgment count as safe.
        base: the branch, tag or commit that suites are compared with; None for no comparison.
        by_hook: whether the paths are what changed, datasets or not, and named by nobody.
    """

    paths: Sequence[Path] = ()
    config: Path | None = None
    corpus: Path | None = None
    choice: Choice = field(default_factory=Choice)
    unsafe_fixes: bool = False
    base: str | None = None
    by_hook: bool = False

    def selection(self, settings: LintSettings) -> Selection:
        """The rules that run under these settings of a configuration.

        Raises:
            UsageError: a code matches no rule.
        """
        return Selection.configured(settings, self.choice)


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
        from ragguard.lint.fixing import Fixing

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


def run(request: LintRequest) -> LintRun:
    """Carry out a request.

    Raises:
        UsageError, ConfigError: it cannot be acted on. What is wrong inside a configuration is a
            finding (RG901).
    """
    if request.corpus is not None and not (exists(request.corpus) and request.corpus.is_file()):
        raise UsageError(
            f"the manifest {shown_path(request.corpus)} does not exist",
            hint="name it with --corpus, or leave the option out",
        )
    targets = find_targets(request.paths, request.config, Path.cwd(), by_hook=request.by_hook)
    parts = [part for target in targets.configured for part in _configured(target, request)]
    alone = request.selection(LintSettings())
    parts.extend(_part(request, lone_config(path, request.corpus), alone) for path in targets.files)
    return LintRun(tuple(parts), targets.notes, request.unsafe_fixes)


def _part(
    request: LintRequest,
    config: Config,
    selection: Selection,
    suites: Sequence[Suite] | None = None,
) -> LintPart:
    def look(stand_ins: Mapping[Path, Path]) -> LintResult:
        return lint_config(config, selection, suites, base=request.base, stand_ins=stand_ins)

    return LintPart(look({}), look)


def _told(result: LintResult) -> LintPart:
    """A part in which there is nothing to fix."""
    return LintPart(result, lambda _: result)


def _configured(target: ConfiguredPaths, request: LintRequest) -> Iterator[LintPart]:
    try:
        config = read_config(target.config)
        check_codes(config)
    except ConfigError as error:
        selection = request.selection(LintSettings())
        if error.location is None or error.location.line is None:
            raise
        if _BAD_CONFIGURATION.code not in selection.codes:
            raise
        yield _told(LintResult(tuple(_BAD_CONFIGURATION.diagnostics(error))))
        return
    selection = request.selection(config.lint)
    if request.corpus is not None:
        config = with_corpus(config, request.corpus)
    named = _not_excluded(config, target, selection)
    if named == [] and target.paths:
        yield _told(LintResult(notes=tuple(_excluded_notes(target))))
        return
    yield _part(request, config, selection, tuple(touched_suites(config, named)))
    yield from _outside(config, named, request, selection)


def _not_excluded(
    config: Config, target: ConfiguredPaths, selection: Selection
) -> list[Path] | None:
    """The paths given that are not passed over; None where none was given."""
    if target.paths is None:
        return None
    return [path for path in target.paths if not selection.excludes(path, config.root)]


def _excluded_notes(target: ConfiguredPaths) -> Iterator[str]:
    """Told only when nothing else is linted: a hook names files by the dozen."""
    for path in target.paths or ():
        yield f"{shown_path(path)} is excluded in {shown_path(target.config)}"


def _outside(
    config: Config, named: Sequence[Path] | None, request: LintRequest, selection: Selection
) -> Iterator[LintPart]:
    """With --corpus a file that belongs to no suite is meant: nobody hands a log a manifest."""
    if request.corpus is None:
        return
    for path in named or ():
        if path.is_file() and not touched_suites(config, [path]):
            yield _part(request, lone_config(path, request.corpus), selection)
