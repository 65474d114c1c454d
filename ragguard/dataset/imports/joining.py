"""Qrels and texts joined into the rows of a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.imports.qrels import Qrels


@dataclass(frozen=True, slots=True)
class ImportedDataset:
    """Rows of a dataset, and what did not become one.

    Attributes:
        rows: canonical rows, in the order of the queries.
        unknown: judged queries without a text, with how many judgments each; among the rows only
            where that was asked for.
        unjudged: queries with a text and no judgment.
        without_relevant: queries whose judgments are all below 1; they are among the rows.
        negative: judgments with a negative grade, written as 0.
    """

    rows: tuple[dict[str, Any], ...]
    unknown: Mapping[str, int]
    unjudged: tuple[str, ...]
    without_relevant: tuple[str, ...]
    negative: int


def join(
    qrels: Qrels, queries: Mapping[str, str], *, keep_unknown: bool = False
) -> ImportedDataset:
    """Make a row of every query that has a text and a judgment.

    Labels are `relevant_ids` when no grade of the whole collection is other than 1, else
    `judgments`.

    Args:
        qrels: grades by chunk by query.
        queries: texts by query.
        keep_unknown: whether judged queries without a text get a row too, at the end, that lacks
            its query.
    """
    is_flat = all(grade == 1 for grades in qrels.values() for grade in grades.values())
    unknown = {id_: len(grades) for id_, grades in qrels.items() if id_ not in queries}
    rows = []
    for query_id in [*queries, *(unknown if keep_unknown else ())]:
        grades = qrels.get(query_id)
        if grades:
            text = {"query": queries[query_id]} if query_id in queries else {}
            rows.append({"query_id": query_id, **text, **_labels(grades, is_flat=is_flat)})
    return ImportedDataset(
        rows=tuple(rows),
        unknown=unknown,
        unjudged=tuple(id_ for id_ in queries if not qrels.get(id_)),
        without_relevant=tuple(
            id_ for id_ in queries if id_ in qrels and max(qrels[id_].values(), default=1) < 1
        ),
        negative=sum(grade < 0 for grades in qrels.values() for grade in grades.values()),
    )


def _labels(grades: Mapping[str, int], *, is_flat: bool) -> dict[str, Any]:
    if is_flat:
        return {"relevant_ids": list(grades)}
    return {"judgments": {chunk_id: max(0, grade) for chunk_id, grade in grades.items()}}


def row_line(row: Mapping[str, Any]) -> str:
    """A dataset row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"
