"""A lint command line carried out: targets found, configurations read, everything looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, LintSettings
from ragguard.config.reading import read_config
from ragguard.dataset.files import exists
from ragguard.errors import ConfigError, UsageError
from ragguard.lint.engine import lint_config
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintResult
from ragguard.lint.selection import Selection
from ragguard.lint.targets import (
    ConfiguredPaths,
    find_targets,
    lone_config,
    touched_suites,
    with_corpus,
)

if TYPE_CHECKING:
    from ragguard.lint.fixing import FixedFile

_BAD_CONFIGURATION = next(rule for rule in RULES if rule.code == "RG901")


@dataclass(frozen=True, slots=True)
class LintRequest:
    """What is asked for.

    Attributes:
        paths: files and folders; empty for all that the configuration names.
        config: the configuration, None to look for it.
        corpus: a manifest in place of the configured ones.
        select, ignore: codes and prefixes; an empty `select` leaves both to the configuration.
    """

    paths: Sequence[Path] = ()
    config: Path | None = None
    corpus: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def selection(self, settings: LintSettings) -> Selection:
        """The rules that run under these settings of a configuration.

        Raises:
            UsageError: a code matches no rule.
        """
        ignored = self.ignore if self.select else (*settings.ignore, *self.ignore)
        return Selection.of(self.select or settings.select, ignored, settings.per_file_ignores)


@dataclass(frozen=True, slots=True)
class LintRun:
    """What was found, by the rules that ran.

    Attributes:
        parts: the result of each configuration and lone file, with its rules.
    """

    parts: tuple[tuple[LintResult, Selection], ...]
    notes: tuple[str, ...] = ()

    @property
    def result(self) -> LintResult:
        """Everything as one result."""
        return LintResult.joined([*(part for part, _ in self.parts), LintResult(notes=self.notes)])

    def fixed_files(self) -> Iterator[FixedFile]:
        """Every file that has safe fixes, fixed; once each.

        Raises:
            InputError: a file cannot be read any more.
        """
        from ragguard.lint.fixing import fixed_files

        seen: set[Path] = set()
        for result, selection in self.parts:
            for file in fixed_files(result, selection):
                if file.source.path.resolve() not in seen:
                    seen.add(file.source.path.resolve())
                    yield file


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
    targets = find_targets(request.paths, request.config, Path.cwd())
    parts = [part for target in targets.configured for part in _configured(target, request)]
    alone = request.selection(LintSettings())
    parts.extend(
        (lint_config(lone_config(path, request.corpus), alone), alone) for path in targets.files
    )
    return LintRun(tuple(parts), targets.notes)


def _configured(
    target: ConfiguredPaths, request: LintRequest
) -> Iterator[tuple[LintResult, Selection]]:
    try:
        config = read_config(target.config)
    except ConfigError as error:
        selection = request.selection(LintSettings())
        if error.location is None or error.location.line is None:
            raise
        if _BAD_CONFIGURATION.code not in selection.codes:
            raise
        yield LintResult(tuple(_BAD_CONFIGURATION.diagnostics(error))), selection
        return
    selection = request.selection(config.lint)
    if request.corpus is not None:
        config = with_corpus(config, request.corpus)
    suites = touched_suites(config, target.paths)
    yield lint_config(config, selection, suites), selection
    yield from _outside(config, target, request, selection)


def _outside(
    config: Config, target: ConfiguredPaths, request: LintRequest, selection: Selection
) -> Iterator[tuple[LintResult, Selection]]:
    """With --corpus a file that belongs to no suite is meant: nobody hands a log a manifest."""
    if request.corpus is None:
        return
    for path in target.paths or ():
        if path.is_file() and not touched_suites(config, [path]):
            yield lint_config(lone_config(path, request.corpus), selection), selection
