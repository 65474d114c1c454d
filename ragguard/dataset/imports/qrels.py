"""Qrels and queries of other tools, read and joined into dataset rows.

Qrels: TREC (`query iteration chunk grade`), BEIR (`query chunk grade`, tab separated, with or
without a header), JSON Lines with BEIR's column names, or a JSON object of grades by chunk by
query. Queries: BEIR's `queries.jsonl`, `id<TAB>text`, or a JSON object of texts by id.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragguard.dataset.decoding import decode
from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.errors import InputError
from ragguard.location import Location

Qrels = Mapping[str, Mapping[str, int]]
"""Grade by chunk id by query id, in the order of the file."""

_QRELS_FORMS = (
    "qrels are `query iteration chunk grade`, `query chunk grade`, JSON Lines with query-id, "
    'corpus-id and score, or {"query": {"chunk": grade}}'
)
_QUERY_FORMS = (
    "queries are JSON Lines with _id and text, `id<TAB>text` lines, or a JSON object of texts"
)
_ID_KEYS = ("_id", "query_id", "query-id", "id", "qid")
_TEXT_KEYS = ("text", "query", "question")


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


def read_qrels(path: Path, shown: str) -> Qrels:
    """The judgments of a qrels file.

    Raises:
        InputError: it cannot be read, a line is none of the forms, a grade is no integer, or a
            chunk has two grades for one query.
    """
    qrels: dict[str, dict[str, int]] = {}
    for location, query_id, chunk_id, grade in _judgments(path, shown):
        grades = qrels.setdefault(query_id, {})
        number = _grade(grade, location)
        if grades.setdefault(chunk_id, number) != number:
            raise InputError(
                f"{chunk_id!r} has the grades {grades[chunk_id]} and {number} for query "
                f"{query_id!r}",
                location=location,
                hint="decide which one holds",
            )
    if not qrels:
        raise InputError("no judgment in it", location=Location(shown), hint=_QRELS_FORMS)
    return qrels


Judgment = tuple[Location, str, str, Any]


def _judgments(path: Path, shown: str) -> Iterator[Judgment]:
    if _is_json_object(path, shown):
        yield from _object_judgments(path, shown)
        return
    for line in read_lines(path, shown):
        text = _text(line, shown)
        location = Location(shown, line.number)
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("{"):
            yield _row_judgment(text, location)
            continue
        columns = text.split("\t") if "\t" in text else text.split()
        columns = [column.strip() for column in columns]
        if line.number == 1 and _is_header(columns):
            continue
        if len(columns) not in {3, 4}:
            raise InputError(
                f"{len(columns)} columns: {text[:80]!r}", location=location, hint=_QRELS_FORMS
            )
        yield location, columns[0], columns[-2], columns[-1]


def _is_header(columns: list[str]) -> bool:
    return columns[-1].lower() in {"score", "grade", "label", "relevance", "rel"}


def _is_json_object(path: Path, shown: str) -> bool:
    """Whether the file is one JSON object rather than lines."""
    for line in read_lines(path, shown):
        if line.content.strip():
            text = _text(line, shown).strip()
            return text.startswith("{") and _id_of(decode(text.encode()).value or {}) is None
    return False


def _object_judgments(path: Path, shown: str) -> Iterator[Judgment]:
    location = Location(shown)
    decoded = _json(path, shown, _QRELS_FORMS)
    for query_id, grades in decoded.items():
        if not isinstance(grades, dict):
            raise InputError(
                f"the judgments of {query_id!r} are no object", location=location, hint=_QRELS_FORMS
            )
        for chunk_id, grade in grades.items():
            yield location, query_id, chunk_id, grade


def _row_judgment(text: str, location: Location) -> Judgment:
    row = decode(text.encode()).value or {}
    query_id, chunk_id = _id_of(row), row.get("corpus-id", row.get("corpus_id"))
    if query_id is None or not isinstance(chunk_id, str) or "score" not in row:
        raise InputError(
            f"no query-id, corpus-id and score: {text[:80]!r}", location=location, hint=_QRELS_FORMS
        )
    return location, query_id, chunk_id, row["score"]


def _grade(grade: Any, location: Location) -> int:
    try:
        number = float(grade) if not isinstance(grade, bool) else float("nan")
    except (TypeError, ValueError):
        number = float("nan")
    if not number.is_integer():
        raise InputError(f"the grade {grade!r} is no integer", location=location, hint=_QRELS_FORMS)
    return int(number)


def read_queries(path: Path, shown: str) -> Mapping[str, str]:
    """The texts of a queries file by id, in its order.

    Raises:
        InputError: it cannot be read, a line is none of the forms, or an id stands twice.
    """
    if _is_json_object(path, shown):
        return _texts(_json(path, shown, _QUERY_FORMS), shown)
    queries: dict[str, str] = {}
    for line in read_lines(path, shown):
        text = _text(line, shown)
        if not text.strip():
            continue
        location = Location(shown, line.number)
        query_id, query = _query(text, location)
        if queries.setdefault(query_id, query) != query:
            raise InputError(
                f"query {query_id!r} stands twice, with other texts", location=location
            )
    if not queries:
        raise InputError("no query in it", location=Location(shown), hint=_QUERY_FORMS)
    return queries


def _query(text: str, location: Location) -> tuple[str, str]:
    if text.startswith("{"):
        row = decode(text.encode()).value or {}
        query_id = _id_of(row)
        query = next((row[key] for key in _TEXT_KEYS if isinstance(row.get(key), str)), None)
    else:
        query_id, tab, query = text.partition("\t")
        query = query.strip() if tab else None
    if not query_id or query is None:
        raise InputError(
            f"no query with id and text: {text[:80]!r}", location=location, hint=_QUERY_FORMS
        )
    return query_id, query


def _id_of(row: Mapping[str, Any]) -> str | None:
    found = next((row[key] for key in _ID_KEYS if key in row), None)
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    return found if isinstance(found, str) else None


def _texts(decoded: Mapping[str, Any], shown: str) -> Mapping[str, str]:
    for query_id, text in decoded.items():
        if not isinstance(text, str):
            raise InputError(
                f"the text of query {query_id!r} is {text!r}",
                location=Location(shown),
                hint=_QUERY_FORMS,
            )
    return dict(decoded)


def _json(path: Path, shown: str, forms: str) -> dict[str, Any]:
    content = b"\n".join(line.content for line in read_lines(path, shown))
    decoded = decode(content)
    if decoded.value is None or decoded.faults:
        fault = decoded.faults[0]
        line = decoded.text.count("\n", 0, fault.position) + 1
        raise InputError(fault.message, location=Location(shown, line), hint=forms)
    return decoded.value


def _text(line: SourceLine, shown: str) -> str:
    try:
        return line.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte 0x{line.content[error.start]:02x}",
            location=Location(shown, line.number),
            hint="convert the file to UTF-8",
        ) from error


def row_line(row: Mapping[str, Any]) -> str:
    """A dataset row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"
