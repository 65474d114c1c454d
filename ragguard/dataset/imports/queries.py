"""Texts of queries by id: BEIR's `queries.jsonl`, `id<TAB>text`, a JSON object, TREC topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ragguard.dataset.imports.forms import (
    ID_KEYS,
    id_of,
    is_json_object,
    object_in,
    row_of,
    text_of,
)
from ragguard.dataset.imports.topics import Topic, are_topics, topics
from ragguard.dataset.lines import read_lines
from ragguard.errors import InputError
from ragguard.location import Location

_QUERY_FORMS = (
    "queries are JSON Lines with _id and text, `id<TAB>text` lines, a JSON object of texts, or "
    "TREC topics with <num> and <title>"
)
_TEXT_KEYS = ("text", "query", "question")


def read_queries(path: Path, shown: str) -> Mapping[str, str]:
    """The texts of a queries file by id, in its order.

    Raises:
        InputError: it cannot be read, a line is none of the forms, or an id stands twice.
    """
    if is_json_object(path, shown):
        return _texts(object_in(path, shown, _QUERY_FORMS), shown)
    queries: dict[str, str] = {}
    for location, query_id, query in (
        topics(path, shown) if are_topics(path, shown) else _lines(path, shown)
    ):
        if queries.setdefault(query_id, query) != query:
            raise InputError(
                f"query {query_id!r} stands twice, with other texts", location=location
            )
    if not queries:
        raise InputError("no query in it", location=Location(shown), hint=_QUERY_FORMS)
    return queries


def _lines(path: Path, shown: str) -> Iterator[Topic]:
    for line in read_lines(path, shown):
        text = text_of(line, shown)
        if not text.strip():
            continue
        location = Location(shown, line.number)
        query_id, query = _query(text, location)
        if line.number == 1 and query_id in ID_KEYS and query in _TEXT_KEYS:
            continue  # a header
        yield location, query_id, query


def _query(text: str, location: Location) -> tuple[str, str]:
    if text.startswith("{"):
        row = row_of(text, location)
        query_id = id_of(row)
        query = next((row[key] for key in _TEXT_KEYS if isinstance(row.get(key), str)), None)
    else:
        query_id, tab, query = text.partition("\t")
        query = query.strip() if tab else None
    if not query_id or query is None:
        raise InputError(
            f"no query with id and text: {text[:80]!r}", location=location, hint=_QUERY_FORMS
        )
    return query_id, query


def _texts(decoded: Mapping[str, Any], shown: str) -> Mapping[str, str]:
    for query_id, text in decoded.items():
        if not isinstance(text, str):
            raise InputError(
                f"the text of query {query_id!r} is {text!r}",
                location=Location(shown),
                hint=_QUERY_FORMS,
            )
    return dict(decoded)
