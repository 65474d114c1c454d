"""The built-in search: BM25 over the manifest's texts, on SQLite's FTS5.

A baseline that needs nothing installed, and the retriever of the bundled example. FTS5 fixes
BM25's parameters at k1 = 1.2 and b = 0.75 (https://sqlite.org/fts5.html, "The bm25() function").
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ragguard.corpus.chunk import Chunk
from ragguard.corpus.visibility import as_of_date, is_stale, may_see, odd_as_of, roles_of
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.retrievers.answer import Answer, Failure, Ranking, Reply, Retrieved
from ragguard.retrievers.query_words import QueryWords, indexable

TOKENIZERS = {"porter": "porter unicode61", "unicode61": "unicode61", "trigram": "trigram"}
"""SQLite's tokenizer by the name in the configuration."""

_CHECK_EVERY = 10_000
"""Virtual-machine steps of SQLite between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of the built-in search.

    Attributes:
        tokenizer: `porter` (stems English words), `unicode61` (whole words) or `trigram`.
        match: whether a chunk must hold `any` or `all` words of the query.
        filter: what is left out: `status` chunks that do not hold at the query's date, `access`
            chunks that its roles may not see.
    """

    tokenizer: Literal["porter", "unicode61", "trigram"] = "porter"
    match: Literal["any", "all"] = "any"
    filter: Sequence[Literal["status", "access"]] = ("status", "access")


class FullTextRetriever:
    """Answers queries from an index in memory."""

    def __init__(
        self,
        chunks: Iterable[Chunk],
        settings: SearchSettings,
        *,
        access_from: str = "context.roles",
        timeout: float = 10.0,
    ) -> None:
        """Index the chunks that have a text.

        Args:
            chunks: the corpus.
            settings: how texts are split and queries matched.
            access_from: dotted path in a row to the roles its query is asked with.
            timeout: seconds one query may take.

        Raises:
            RetrieverError: no chunk has a text, or this Python's SQLite has no FTS5.
        """
        self._settings = settings
        self._access_from = access_from
        self._timeout = timeout
        self._deadline = float("inf")
        self._chunks: list[Chunk] = []
        self._database, self._words = _index(settings.tokenizer)
        silent = self._fill(chunks)
        self._database.set_progress_handler(self._is_late, _CHECK_EVERY)
        self.warnings = (
            [f"{silent} chunks of the manifest have no text and cannot be found"] if silent else []
        )

    def _fill(self, chunks: Iterable[Chunk]) -> int:
        """Index what has a text; the number of chunks without one."""
        silent = 0
        for chunk in chunks:
            text = chunk.full_text
            if text is None:
                silent += 1
                continue
            self._chunks.append(replace(chunk, title=None, text=None))
            self._database.execute(
                "INSERT INTO chunks (rowid, text) VALUES (?, ?)",
                (len(self._chunks), indexable(text)),
            )
        if not self._chunks:
            raise RetrieverError(
                "the built-in search found no chunk with a text in the manifest",
                hint="add `text` to the chunks of the manifest, or use another retriever",
            )
        return silent

    @property
    def description(self) -> dict[str, Any]:
        """Kind and settings."""
        settings = self._settings
        return {
            "kind": "search",
            "tokenizer": settings.tokenizer,
            "match": settings.match,
            "filter": list(settings.filter),
        }

    @property
    def environment(self) -> Mapping[str, Any]:
        """The version of SQLite, on which the ranking depends."""
        return {"sqlite": sqlite3.sqlite_version}

    def ask(self, queries: Sequence[Query], depth: int) -> Iterator[Reply]:
        """One reply per query, in order; ties are broken by id."""
        wordless: list[str] = []
        for query in queries:
            started = time.perf_counter()
            self._deadline = time.monotonic() + self._timeout
            outcome = self._answer(query, depth)
            if isinstance(outcome, Answer) and outcome.warnings:
                wordless.append(query.query_id)
            yield Reply(outcome, (time.perf_counter() - started) * 1000)
        if wordless:
            shown = ", ".join(map(repr, wordless[:3])) + (", …" if len(wordless) > 3 else "")
            self.warnings.append(
                f"{len(wordless)} queries hold no word that {self._settings.tokenizer} can search "
                f"for, and found nothing: {shown}"
            )

    @property
    def _nothing_to_search(self) -> str:
        tokenizer = self._settings.tokenizer
        return f"no word of the query can be searched for by {tokenizer}; nothing was found"

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _answer(self, query: Query, depth: int) -> Answer | Failure:
        as_of = odd_as_of(query)
        if as_of is not None and "status" in self._settings.filter:
            return Failure("error", f"context.as_of {as_of!r} is no date like 2026-11-30")
        try:
            expression = self._words.expression(query.text, self._settings.match)
            if not expression:
                return Answer((), warnings=(self._nothing_to_search,))
            return Answer(self._ranking(query, expression, depth))
        except sqlite3.Error as error:
            if "interrupted" in str(error):
                return Failure("timeout", f"no answer within {self._timeout:g} s")
            return Failure("error", f"SQLite: {error}")

    def _ranking(self, query: Query, expression: str, depth: int) -> Ranking:
        rows = self._database.execute(
            "SELECT rowid, bm25(chunks) FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks)",
            (expression,),
        )
        may_answer = self._filter(query)
        found: list[tuple[float, str]] = []
        for row, score in rows:
            if len(found) >= depth and score > found[-1][0]:
                break
            chunk = self._chunks[row - 1]
            if may_answer(chunk):
                found.append((score, chunk.chunk_id))
        return tuple(Retrieved(chunk_id, -score) for score, chunk_id in sorted(found)[:depth])

    def _filter(self, query: Query) -> Any:
        as_of, roles = as_of_date(query), roles_of(query, self._access_from)
        by_status, by_access = (kind in self._settings.filter for kind in ("status", "access"))

        def may_answer(chunk: Chunk) -> bool:
            if by_status and is_stale(chunk, as_of):
                return False
            return not by_access or may_see(chunk, roles)

        return may_answer


def _index(
    tokenizer: Literal["porter", "unicode61", "trigram"],
) -> tuple[sqlite3.Connection, QueryWords]:
    database = sqlite3.connect(":memory:")
    try:
        database.execute(
            "CREATE VIRTUAL TABLE chunks USING fts5 "
            f"(text, content='', tokenize='{TOKENIZERS[tokenizer]}')"
        )
        return database, QueryWords(tokenizer)
    except sqlite3.OperationalError as error:
        raise RetrieverError(
            f"this Python's SQLite {sqlite3.sqlite_version} cannot do full-text search: {error}",
            hint="use a Python whose SQLite has FTS5, or another retriever",
        ) from error
