"""A configuration and what of it is linted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, Suite
from ragguard.config.reading import read_config
from ragguard.dataset.files import real_path
from ragguard.errors import UsageError
from ragguard.lint.engine import lint_config
from ragguard.lint.ignores.ignore_list import read_ignore_list
from ragguard.lint.ignores.ignoring import Ignoring
from ragguard.lint.known_codes import check_codes
from ragguard.lint.request import LintRequest
from ragguard.lint.result import LintResult
from ragguard.lint.selection import Selection
from ragguard.lint.targets import ConfiguredPaths, has_dataset, touched_suites, with_corpus

if TYPE_CHECKING:
    from ragguard.lint.piped import PipedFile


@dataclass(frozen=True, slots=True)
class Realm:
    """What a configuration governs, as far as it is asked for.

    Attributes:
        named: the paths given that are not passed over; None where none was given.
        suites: those that have any of them.
    """

    config: Config
    selection: Selection
    named: Sequence[Path] | None
    suites: tuple[Suite, ...]
    ignoring: Ignoring

    @classmethod
    def of(cls, target: ConfiguredPaths, request: LintRequest, *, may_lack: bool = False) -> Realm:
        """What is asked for of a configuration.

        Args:
            target: the configuration and the paths given.
            request: what is asked for.
            may_lack: whether a list of ignored findings need not exist.

        Raises:
            ConfigError: the configuration or its list cannot be read, or is not valid.
        """
        config = read_config(target.config)
        check_codes(config)
        ignores = read_ignore_list(config, may_lack=may_lack)
        selection = request.selection(config.lint)
        if request.corpus is not None:
            config = with_corpus(config, request.corpus)
        named = target.paths
        if named is not None:
            named = [path for path in named if not selection.excludes(path, config.root)]
        has_list = any(real_path(path) == real_path(ignores.path) for path in named or ())
        if request.piped is not None:
            suites = _suites_of(request.piped, config, target.config)
        else:
            suites = tuple(touched_suites(config, None if has_list else named))
        return cls(
            config, selection, named, suites, Ignoring.of(ignores, config, selection, suites)
        )

    def look(
        self, request: LintRequest, stand_ins: Mapping[Path, Path] | None = None
    ) -> LintResult:
        """Everything found, nothing of it ignored."""
        return lint_config(
            self.config, self.selection, self.suites, base=request.base, stand_ins=stand_ins
        )


def _suites_of(piped: PipedFile, config: Config, path: Path) -> tuple[Suite, ...]:
    """The suites that a piped dataset belongs to.

    Raises:
        UsageError: it is another kind of file of theirs.
    """
    suites = config.suites.values()
    owners = tuple(suite for suite in suites if has_dataset(suite, config.root, piped.path))
    is_config = real_path(piped.path) == real_path(path)
    if not owners and (is_config or touched_suites(config, [piped.path])):
        raise UsageError(
            f"{shown_path(piped.path)} is no dataset, and only datasets are read from a pipe",
            hint="save the file, and lint it by its name",
        )
    return owners
