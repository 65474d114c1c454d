"""Rows of the comment's tables: one query each, its value before and after, where evidence went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragguard.comparison.model import CriticalMiss, QueryChange, SuiteComparison
from ragguard.comparison.movement import Movement
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.relative import went
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_section import Row
from ragguard.render.markdown_cell import cell, code, link
from ragguard.render.wording import UNDEFINED, from_to, query_text, slice_of

MOST_MOVEMENTS = 4
COLUMNS = ("query", "slice", "metric", "before → now", "missing evidence", "where it went")
RIGHT = ("before → now",)


def query_cell(result: QueryResult, context: CommentContext, suite: str | None = None) -> str:
    """The query's id, linked to its line, and as much of its text as may be shown."""
    source = result.query.source
    url = context.line_url(source) if context.line_url and source else None
    named = link(code(result.query.query_id), url)
    text = cell(query_text(result, hidden=context.queries == "hidden"))
    prefix = f"{cell(suite)} " if suite else ""
    return f"{prefix}{named} {text}".rstrip()


def miss_row(
    miss: CriticalMiss, suite: SuiteComparison, context: CommentContext, named: str | None
) -> Row:
    """A critical miss; a query that failed has no evidence to speak of."""
    if miss.head.status is Status.OK:
        missing, where = _movement_cells(miss.missing)
    else:
        missing, where = UNDEFINED, f"the query failed ({miss.head.status})"
    return (
        query_cell(miss.head, context, named),
        cell(slice_of(miss.head, _path(suite))),
        cell(str(suite.scoring.primary)),
        from_to(miss.base_value, miss.head_value),
        missing,
        where,
    )


def change_row(
    change: QueryChange, suite: SuiteComparison, context: CommentContext, named: str | None
) -> Row:
    """A regression or an improvement."""
    missing, where = _movement_cells(change.missing)
    return (
        query_cell(change.pair.head, context, named),
        cell(slice_of(change.pair.head, _path(suite))),
        cell(change.metric),
        from_to(change.base, change.head),
        missing,
        where,
    )


def _path(suite: SuiteComparison) -> str | None:
    return next(iter(suite.scoring.slices), None)


def _movement_cells(movements: tuple[Movement, ...]) -> tuple[str, str]:
    """Missing chunks and where each went, line by line in two cells."""
    shown = movements[:MOST_MOVEMENTS]
    hidden = len(movements) - len(shown)
    ids = [code(movement.chunk_id) for movement in shown]
    if hidden:
        ids.append(f"and {hidden} more")
    return "<br>".join(ids), "<br>".join(_told(movement) for movement in shown)


def _told(movement: Movement) -> str:
    where = cell(went(movement))
    if movement.replaced_by is None:
        return where
    return f"{where}, in its place {code(movement.replaced_by)}"


def id_list(ids: Iterable[str], most: int = 12) -> str:
    """Ids as inline code, the number of those beyond the first few said."""
    listed = list(ids)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(code(id_) for id_ in listed[:most]) + more


def result_ids(results: Iterable[QueryResult]) -> Iterator[str]:
    """Query ids in the order of the results."""
    return (result.query.query_id for result in results)
