"""What a command line asks the linter for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ragguard.config.model import LintSettings
from ragguard.lint.piped import PipedFile
from ragguard.lint.selection import Choice, Selection


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
        piped: a dataset that is read from a pipe, in place of paths.
    """

    paths: Sequence[Path] = ()
    config: Path | None = None
    corpus: Path | None = None
    choice: Choice = field(default_factory=Choice)
    unsafe_fixes: bool = False
    base: str | None = None
    by_hook: bool = False
    piped: PipedFile | None = None

    def selection(self, settings: LintSettings) -> Selection:
        """The rules that run under these settings of a configuration.

        Raises:
            UsageError: a code matches no rule.
        """
        return Selection.configured(settings, self.choice)
