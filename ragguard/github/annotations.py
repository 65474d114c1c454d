"""Annotations on dataset lines: what the linter found, and queries that got worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ragguard.config.model import Config
from ragguard.gate.verdict import Verdict
from ragguard.github.conclusion import Conclusion
from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.location import Location
from ragguard.render.first_line import other_regressions
from ragguard.render.wording import from_to
from ragguard.render.workflow_commands import workflow_command

MOST_OF_A_LEVEL = 10
"""How many errors, and how many warnings, GitHub shows of one step."""

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Annotation:
    """A message at a place; the file relative to the workspace, forward slashes."""

    level: Level
    title: str
    message: str
    location: Location | None = None

    def __str__(self) -> str:
        where = self.location
        return workflow_command(
            self.level,
            self.message,
            {
                "file": where.file if where else None,
                "line": where.line if where else None,
                "col": where.column if where else None,
                "title": self.title,
            },
        )


def annotation_lines(annotations: Iterable[Annotation]) -> Iterator[str]:
    """Workflow commands for at most ten of each level; the tenth says how many are hidden."""
    listed = list(annotations)
    levels: tuple[Level, ...] = ("error", "warning")
    for level in levels:
        chosen = [each for each in listed if each.level == level]
        if len(chosen) > MOST_OF_A_LEVEL:
            hidden = len(chosen) - (MOST_OF_A_LEVEL - 1)
            more = f"{hidden} more {level}s are not shown here; the job summary has them"
            chosen = [*chosen[: MOST_OF_A_LEVEL - 1], Annotation(level, "ragguard", more)]
        yield from map(str, chosen)


def annotations_of(conclusion: Conclusion, workspace: Path) -> Iterator[Annotation]:
    """Annotations of a conclusion, the gravest first; no text of a query is in them."""
    yield from _critical_and_regressed(conclusion, workspace)
    for found in conclusion.diagnostics:
        yield _of_diagnostic(found, workspace)


def _of_diagnostic(found: Diagnostic, workspace: Path) -> Annotation:
    where = found.location
    path = _below(Path(where.file).absolute(), workspace)
    level: Level = "error" if found.severity is Severity.ERROR else "warning"
    hint = f"\n{found.hint}" if found.hint else ""
    title = f"{found.code} {found.name}"
    return Annotation(
        level, title, f"{found.message}{hint}", Location(path, where.line, where.column)
    )


def _critical_and_regressed(conclusion: Conclusion, workspace: Path) -> Iterator[Annotation]:
    comparison, config = conclusion.comparison, conclusion.config
    if comparison is None or config is None or comparison.obstacles:
        return
    blocking = _blocked_queries(conclusion.verdict)
    for suite in comparison.suites.values():
        for miss in suite.critical_misses:
            query = miss.head.query
            level: Level = "error" if (suite.name, query.query_id) in blocking else "warning"
            missing = ", ".join(each.chunk_id for each in miss.missing)
            told = f"critical query {query.query_id} lacks {missing or 'its evidence'}"
            yield Annotation(level, "critical miss", told, _place(query.source, config, workspace))
        for change in other_regressions(suite):
            query = change.pair.head.query
            told = f"{query.query_id}: {change.metric} {from_to(change.base, change.head)}"
            place = _place(query.source, config, workspace)
            yield Annotation("warning", "retrieval regression", told, place)


def _blocked_queries(verdict: Verdict) -> frozenset[tuple[str, str | None]]:
    return frozenset((reason.suite, reason.query_id) for reason in verdict.reasons)


def _place(source: Location | None, config: Config, workspace: Path) -> Location | None:
    """Where a row stands; its file is relative to the configuration."""
    if source is None:
        return None
    return Location(_below(config.root / source.file, workspace), source.line)


def _below(path: Path, workspace: Path) -> str:
    resolved, root = path.resolve(), workspace.resolve()
    return (resolved.relative_to(root) if resolved.is_relative_to(root) else resolved).as_posix()
