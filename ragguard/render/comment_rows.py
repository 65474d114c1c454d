"""Rows of the comment's tables: one query each, its value before and after, where evidence went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ragguard.comparison.model import CriticalMiss, QueryChange, SuiteComparison
from ragguard.comparison.movement import Movement
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.relative import went
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_section import Row
from ragguard.render.markdown_cell import cell, code, link
from ragguard.render.wording import from_to, query_text, slice_of

MOST_MOVEMENTS = 4


@dataclass(frozen=True, slots=True)
class QueryTable:
    """How the queries of these suites stand in tables: few columns, for a phone's sake.

    Attributes:
        suites: the suites whose queries are shown; named in each row when there are several.
        context: the settings of the comment.
    """

    suites: tuple[SuiteComparison, ...]
    context: CommentContext

    @property
    def metric(self) -> str | None:
        """The primary metric when it is one for all suites; it then heads its column."""
        primaries = {str(suite.scoring.primary) for suite in self.suites}
        return primaries.pop() if len(primaries) == 1 else None

    @property
    def columns(self) -> tuple[str, ...]:
        """Headings of a table of losses; the first two are those of a table of gains."""
        return ("query", self.metric or "before → now", "missing evidence, and where it went")

    def name(self, suite: SuiteComparison) -> str | None:
        """The suite's name where it tells rows apart."""
        return suite.name if len(self.suites) > 1 else None

    def miss(self, miss: CriticalMiss, suite: SuiteComparison) -> Row:
        """A critical miss; a query that failed has no evidence to speak of."""
        where = f"the query failed ({miss.head.status})"
        if miss.head.status is Status.OK:
            where = _movement_cell(miss.missing)
        values = from_to(miss.base_value, miss.head_value)
        return (
            self._query(miss.head, suite),
            self._values(str(suite.scoring.primary), values),
            where,
        )

    def change(self, change: QueryChange, suite: SuiteComparison) -> Row:
        """A regression or an improvement."""
        values = from_to(change.base, change.head)
        return (
            self._query(change.pair.head, suite),
            self._values(change.metric, values),
            _movement_cell(change.missing),
        )

    def _query(self, result: QueryResult, suite: SuiteComparison) -> str:
        sliced = slice_of(result, next(iter(suite.scoring.slices), None))
        shown = query_cell(result, self.context, self.name(suite))
        return f"{shown} · *{cell(sliced, 40)}*" if sliced else shown

    def _values(self, metric: str, values: str) -> str:
        return values if metric == self.metric else f"{cell(metric)} {values}"


def query_cell(result: QueryResult, context: CommentContext, suite: str | None = None) -> str:
    """The query's id, linked to its line, and as much of its text as may be shown."""
    source = result.query.source
    url = context.line_url(source) if context.line_url and source else None
    named = link(code(result.query.query_id), url)
    text = cell(query_text(result, hidden=context.queries == "hidden"))
    prefix = f"{cell(suite)} " if suite else ""
    return f"{prefix}{named} {text}".rstrip()


def _movement_cell(movements: tuple[Movement, ...]) -> str:
    """Missing chunks and where each went, line by line."""
    shown = [_told(movement) for movement in movements[:MOST_MOVEMENTS]]
    hidden = len(movements) - len(shown)
    return "<br>".join([*shown, f"and {hidden} more"] if hidden else shown)


def _told(movement: Movement) -> str:
    where = f"{code(movement.chunk_id)} {cell(went(movement))}"
    return f"{where} (now {code(movement.replaced_by)})" if movement.replaced_by else where


def id_list(ids: Iterable[str], most: int = 12) -> str:
    """Ids as inline code, the number of those beyond the first few said."""
    listed = list(ids)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(code(id_) for id_ in listed[:most]) + more


def result_ids(results: Iterable[QueryResult]) -> Iterator[str]:
    """Query ids in the order of the results."""
    return (result.query.query_id for result in results)
