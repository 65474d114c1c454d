"""`ragguard lint --fix` and `--diff`: what fixing changes, written or shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ragguard.cli.lint_pipe import pass_on
from ragguard.cli.output import tell
from ragguard.lint.fixes.file_difference import unified_diff
from ragguard.render.wording import plural

if TYPE_CHECKING:
    from ragguard.lint.piped import PipedFile
    from ragguard.lint.run import FixedRun, LintRun

MOST_NAMED = 5
"""Chunk ids that a note names."""


def difference(done: LintRun, reviewed: Sequence[str]) -> str:
    """What fixing would change, as `diff -u` shows it."""
    return "".join(unified_diff(file) for file in _fixed(done, reviewed).files)


def fix(done: LintRun, reviewed: Sequence[str], pipe: PipedFile | None) -> LintRun:
    """Fix the files, or print what was piped as fixed; what is linted once they are.

    Raises:
        InputError: a file cannot be written, or is no longer the one that was linted.
    """
    fixed = _fixed(done, reviewed)
    if pipe is not None:
        pass_on(pipe, fixed.files)
        return fixed.run
    for file in fixed.files:
        file.write()
        if file.fixes:
            tell("", f"fixed {plural(file.fixes, 'finding')} in {file.source.shown}")
        if file.reviews:
            queries = plural(file.reviews, "query", "queries")
            tell("", f"recorded the labels of {queries} in {file.source.shown}")
    return fixed.run


def _fixed(done: LintRun, reviewed: Sequence[str]) -> FixedRun:
    with TemporaryDirectory(prefix="ragguard-") as folder:
        fixed = done.fixed(Path(folder), reviewed)
    _tell_lacking(fixed.lacking)
    return fixed


def _tell_lacking(lacking: Mapping[str, Sequence[str]]) -> None:
    for query_id, chunk_ids in lacking.items():
        named = ", ".join(map(repr, chunk_ids[:MOST_NAMED]))
        more = f" and {len(chunk_ids) - MOST_NAMED} more" if len(chunk_ids) > MOST_NAMED else ""
        tell(click.style("note:", bold=True), f"{query_id}: no hash is known of {named}{more}")
