"""Qrels of other tools: judgments by query.

TREC (`query iteration chunk grade`), BEIR (`query chunk grade`, tab separated, with or without a
header), JSON Lines with BEIR's names, or a JSON object of grades by chunk by query, or of lists of
relevant chunks by query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragguard.dataset.imports.forms import id_of, is_json_object, object_in, row_of, text_of
from ragguard.dataset.lines import read_lines
from ragguard.errors import InputError
from ragguard.location import Location

Qrels = Mapping[str, Mapping[str, int]]
"""Grade by chunk id by query id, in the order of the file."""

_QRELS_FORMS = (
    "qrels are `query iteration chunk grade`, `query chunk grade`, JSON Lines with query-id, "
    'corpus-id and score, {"query": {"chunk": grade}} or {"query": ["chunk"]}'
)
_CHUNK_KEYS = ("corpus-id", "corpus_id")

Judgment = tuple[Location, str, str, Any]
"""Where it stands, query, chunk and the grade as written."""


def read_qrels(path: Path, shown: str) -> Qrels:
    """The judgments of a qrels file.

    Raises:
        InputError: it cannot be read, a line is none of the forms, an id is blank, a grade is no
            integer, or a chunk has two grades for one query.
    """
    qrels: dict[str, dict[str, int]] = {}
    for location, query_id, chunk_id, grade in _judgments(path, shown):
        if not query_id or not chunk_id:
            raise InputError(
                f"a blank {'chunk' if query_id else 'query'} id",
                location=location,
                hint=_QRELS_FORMS,
            )
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
    _refuse_constant_chunk(qrels, shown)
    return qrels


def _refuse_constant_chunk(qrels: Qrels, shown: str) -> None:
    """SMART's qrels have the document in the second column, and zeros after it."""
    chunk_ids = {chunk_id for grades in qrels.values() for chunk_id in grades}
    if len(qrels) >= 3 and len(chunk_ids) == 1:
        raise InputError(
            f"all {len(qrels)} queries are judged against the one chunk {chunk_ids.pop()!r}",
            location=Location(shown),
            hint=f"are the columns in another order? {_QRELS_FORMS}",
        )


def _judgments(path: Path, shown: str) -> Iterator[Judgment]:
    if is_json_object(path, shown):
        yield from _object_judgments(path, shown)
        return
    for line in read_lines(path, shown):
        text = text_of(line, shown)
        location = Location(shown, line.number)
        if not text.strip():
            continue
        if text.startswith("{"):
            yield _row_judgment(text, location)
            continue
        columns = text.split("\t") if "\t" in text else text.split()
        columns = [column.strip() for column in columns]
        if line.number == 1 and _is_header(columns):
            continue
        if text.startswith("#") and not _is_judgment(columns):
            continue  # trec_eval allows comments; an id may begin with # too
        if len(columns) not in {3, 4}:
            raise InputError(
                f"{len(columns)} columns: {text[:80]!r}", location=location, hint=_QRELS_FORMS
            )
        yield location, columns[0], columns[-2], columns[-1]


def _is_judgment(columns: list[str]) -> bool:
    return len(columns) in {3, 4} and columns[-1].lstrip("+-").isdigit()


def _is_header(columns: list[str]) -> bool:
    return columns[-1].lower() in {"score", "grade", "label", "relevance", "rel"}


def _object_judgments(path: Path, shown: str) -> Iterator[Judgment]:
    location = Location(shown)
    decoded = object_in(path, shown, _QRELS_FORMS)
    for query_id, held in decoded.items():
        is_list = isinstance(held, list) and all(isinstance(each, str) for each in held)
        grades = dict.fromkeys(held, 1) if is_list else held
        if not isinstance(grades, dict):
            raise InputError(
                f"the judgments of {query_id!r} are neither an object nor a list of ids",
                location=location,
                hint=_QRELS_FORMS,
            )
        for chunk_id, grade in grades.items():
            yield location, query_id, chunk_id, grade


def _row_judgment(text: str, location: Location) -> Judgment:
    row = row_of(text, location)
    query_id, chunk_id = id_of(row), id_of(row, _CHUNK_KEYS)
    if query_id is None or chunk_id is None or "score" not in row:
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
