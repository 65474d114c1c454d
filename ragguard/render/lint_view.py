"""How findings are to be shown, whatever the format."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import PurePath
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.result import LintResult

if TYPE_CHECKING:
    from ragguard.lint.excerpts import Excerpt


@dataclass(frozen=True, slots=True)
class LintView:
    """What a format is told besides the findings.

    Attributes:
        excerpts: one for each finding, in order; may be read as they are asked for, and once only.
            Empty for none.
        colour: whether to style the text for a terminal.
        is_strict: whether warnings count as failures.
        folder: absolute path of the folder that the files of findings are relative to.
        root: absolute path of the repository; services know files relative to it.
    """

    excerpts: Iterable[Excerpt | None] = ()
    colour: bool = False
    is_strict: bool = False
    folder: str = ""
    root: str = ""

    def excerpted(self, result: LintResult) -> Iterator[tuple[Diagnostic, Excerpt | None]]:
        """Each finding with its excerpt."""
        return zip(result.diagnostics, chain(self.excerpts, repeat(None)), strict=False)

    def in_repository(self, file: str) -> str:
        """A file's path from the root of the repository; absolute when it lies outside."""
        if not self.root:
            return file
        path = PurePath(os.path.normpath(PurePath(self.folder, file)))
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()
