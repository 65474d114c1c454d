"""A dataset that is read from a pipe, as if it were a file: what an editor has not saved yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ragguard.atomic import FileState
from ragguard.dataset.files import real_path
from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.result import LintResult, SourceFile

Look = Callable[[Mapping[Path, Path]], LintResult]


@dataclass(frozen=True, slots=True)
class PipedFile:
    """A dataset and what was read in its place.

    Attributes:
        path: the file that it is, or would be; it need not exist.
        content: a copy of what was read; it must stay as long as what was linted is in use.
        has_name: whether somebody said which file it is, so that a configuration may govern it.
    """

    path: Path
    content: Path
    has_name: bool = True

    def looking(self, look: Look) -> Look:
        """A look in which the copy stands in for the file.

        Its results know the copy as the file's place, so that excerpts and fixes are taken from it;
        the name in diagnostics is the file's.
        """

        def look_at_copy(stand_ins: Mapping[Path, Path]) -> LintResult:
            content = stand_ins.get(real_path(self.content), self.content)
            result = look({real_path(self.path): content})
            return replace(
                result,
                files=tuple(map(self._with_copy, result.files)),
                diagnostics=tuple(self._only_fixed_here(result)),
            )

        return look_at_copy

    def _only_fixed_here(self, result: LintResult) -> Iterator[Diagnostic]:
        """The findings; those in other files of the suite are nothing to fix in this one."""
        names = {each.shown for each in result.files if self._is(each)}
        for each in result.diagnostics:
            yield each if each.location.file in names else replace(each, fix=None)

    def _is(self, source: SourceFile) -> bool:
        return real_path(source.path) == real_path(self.path)

    def _with_copy(self, source: SourceFile) -> SourceFile:
        if not self._is(source):
            return source
        return replace(source, path=self.content, state=FileState.of(self.content.stat()))
