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
        unknown: judged queries without a text, with how many judgments each.
        unjudged: queries with a text and no judgment.
        without_relevant: queries whose judgments are all below 1; they are among the rows.
        negative: judgments with a negative grade, written as 0.
    """

    rows: tuple[dict[str, Any], ...]
    unknown: Mapping[str, int]
    unjudged: tuple[str, ...]
    without_relevant: tuple[str, ...]
    negative: int


def join(qrels: Qrels, queries: Mapping[str, str]) -> ImportedDataset:
    """Make a row of every query that has a text and a judgment.

    Labels are `relevant_ids` when no grade of the whole collection is other than 1, else
    `judgments`.
    """
    is_flat = all(grade == 1 for grades in qrels.values() for grade in grades.values())
    rows = []
    for query_id, text in queries.items():
        grades = qrels.get(query_id)
        if grades:
            kept = {chunk_id: max(0, grade) for chunk_id, grade in grades.items()}
            labels = {"relevant_ids": list(kept)} if is_flat else {"judgments": kept}
            rows.append({"query_id": query_id, "query": text, **labels})
    return ImportedDataset(
        rows=tuple(rows),
        unknown={id_: len(grades) for id_, grades in qrels.items() if id_ not in queries},
        unjudged=tuple(id_ for id_ in queries if not qrels.get(id_)),
        without_relevant=tuple(
            id_ for id_ in queries if id_ in qrels and max(qrels[id_].values(), default=1) < 1
        ),
        negative=sum(grade < 0 for grades in qrels.values() for grade in grades.values()),
    )


def row_line(row: Mapping[str, Any]) -> str:
    """A dataset row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"
