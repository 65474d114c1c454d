"""A run somebody else made, read from a file: TREC, JSON or JSON Lines, plain or gzip."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from ragguard.dataset.query import Query
from ragguard.errors import InputError
from ragguard.location import Location
from ragguard.retrievers.answer import Answer, Failure, Ranking, Reply, Retrieved
from ragguard.retrievers.parsing import InvalidAnswerError, parse_answer

_COLUMN = re.compile(r"[^ \t\r\f\v]+")
"""A column of TREC: white space of ASCII parts them, as in trec_eval; any other is of an id."""

_FORMS = (
    "a run file is TREC (`query Q0 chunk rank score tag`), a JSON object of rankings by query, "
    "or JSON Lines with query_id and results"
)


class RunFileRetriever:
    """Answers every query from a run file; nothing is executed."""

    def __init__(self, path: Path, target: str, known: Collection[str] | None = None) -> None:
        """Read the run.

        Args:
            path: the file.
            target: its name as configured, for the report and for errors.
            known: ids of all queries of the dataset; None takes those that are asked for all.

        Raises:
            InputError: it cannot be read, or is no run file.
        """
        self._target = target
        self._known = known
        self._answers = read_run(path, target)
        self.warnings: list[str] = []

    @property
    def description(self) -> dict[str, Any]:
        """Kind and file."""
        return {"kind": "run", "target": self._target}

    @property
    def environment(self) -> dict[str, Any]:
        """Nothing is known of where the run was made."""
        return {}

    def ask(self, queries: Sequence[Query], depth: int) -> Iterator[Reply]:
        """The ranking of each query; one that the file lacks is an error of that query."""
        asked = {query.query_id for query in queries}
        unknown = sorted(self._answers.keys() - asked - set(self._known or ()))
        if unknown:
            shown = ", ".join(map(repr, unknown[:5])) + (", …" if len(unknown) > 5 else "")
            self.warnings.append(
                f"{self._target} has {len(unknown)} queries that the dataset lacks: {shown}"
            )
        for query in queries:
            results = self._answers.get(query.query_id)
            if results is None:
                yield Reply(Failure("error", f"{self._target} has no query {query.query_id!r}"))
            elif isinstance(results, tuple):
                yield Reply(Answer(results[:depth]))
            else:
                yield Reply(_answered(results, depth))


RunAnswers = Mapping[str, Ranking | Mapping[str, Any]]
"""By query id: a ranking, or a message of the worker protocol that is still to be checked."""


def _answered(message: Mapping[str, Any], depth: int) -> Answer | Failure:
    """A recorded ranking may be deeper than asked for; that is no oddity of the retriever."""
    outcome = parse_answer(message, depth)
    if isinstance(outcome, Answer):
        return Answer(outcome.ranking, outcome.stages, outcome.rewritten, outcome.admitted)
    return outcome


def read_run(path: Path, shown: str) -> RunAnswers:
    """The rankings of a run file by query id.

    Raises:
        InputError: it cannot be read, or a line is none of the forms.
    """
    text = _text(path, shown)
    stripped = text.lstrip()
    if not stripped:
        raise InputError("the run file is empty", location=Location(shown), hint=_FORMS)
    if stripped.startswith("["):
        raise InputError("a JSON list is no run", location=Location(shown, 1), hint=_FORMS)
    if not stripped.startswith("{"):
        return _trec(text, shown)
    return _json_lines(text, shown) if _begins_with_a_row(stripped) else _json_object(text, shown)


def _begins_with_a_row(text: str) -> bool:
    """Whether the first line alone is an object that names a query rather than being a ranking."""
    try:
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return "query_id" in first and not isinstance(first["query_id"], list | dict)


def _text(path: Path, shown: str) -> str:
    try:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"cannot read the run file: {error.strerror or error}",
            location=Location(shown),
            hint="write it before `ragguard eval`, or name the right file with `run:`",
        ) from error
    except (EOFError, zlib.error) as error:
        raise InputError(f"a damaged gzip file: {error}", location=Location(shown)) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}",
            location=Location(shown),
        ) from error


def _trec(text: str, shown: str) -> RunAnswers:
    """Rankings by score, then by id, both descending, as trec_eval sorts; ranks are ignored."""
    by_query: dict[str, list[tuple[float, bytes, str]]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        fields = _COLUMN.findall(line)
        if not fields:
            continue
        if len(fields) not in {5, 6}:
            raise InputError(
                f"{len(fields)} columns where TREC has six: {line[:80]!r}",
                location=Location(shown, number),
                hint=_FORMS,
            )
        score = _score(fields[4], shown, number)
        by_query.setdefault(fields[0], []).append((score, fields[2].encode(), fields[2]))
    return {
        query_id: tuple(
            Retrieved(chunk_id, score) for score, _, chunk_id in sorted(rows, reverse=True)
        )
        for query_id, rows in by_query.items()
    }


def _score(text: str, shown: str, number: int) -> float:
    try:
        score = float("nan" if "_" in text else text)  # Python reads 1_0 as ten
    except ValueError:
        score = float("nan")
    if not isfinite(score):
        raise InputError(
            f"the score {text!r} is no finite number", location=Location(shown, number)
        )
    return score


def _json_lines(text: str, shown: str) -> RunAnswers:
    answers: dict[str, Mapping[str, Any]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_without_twins)
            query_id = row["query_id"]
            if not isinstance(query_id, str):
                raise TypeError(f"query_id {query_id!r} is no text")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"no object with query_id and results: {error}",
                location=Location(shown, number),
                hint=_FORMS,
            ) from error
        if query_id in answers:
            raise InputError(
                f"query {query_id!r} stands twice in the run", location=Location(shown, number)
            )
        answers[query_id] = _message(row)
    return answers


def _message(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a message of the worker protocol, its stages in the forms that results have."""
    message = {**row, "results": _results(row.get("results"))}
    stages = row.get("stages")
    if isinstance(stages, dict):
        message["stages"] = {name: _results(stage) for name, stage in stages.items()}
    return message


def _json_object(text: str, shown: str) -> RunAnswers:
    try:
        decoded = json.loads(text, object_pairs_hook=_without_twins)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise InputError(
            f"not a run in JSON: {error}", location=Location(shown, line), hint=_FORMS
        ) from error
    return {query_id: {"results": _results(results)} for query_id, results in decoded.items()}


def _without_twins(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    decoded: dict[str, Any] = {}
    for key, value in pairs:
        if key in decoded:
            raise InvalidAnswerError(f"the key {key!r} stands twice in one object")
        decoded[key] = value
    return decoded


def _results(value: Any) -> Any:
    """Results in the shape of the worker protocol: ids and pairs in list order, scores sorted."""
    if isinstance(value, dict):
        return _by_score(value)
    if isinstance(value, list):
        return [_pair(item) if isinstance(item, list) else item for item in value]
    return value


def _pair(item: list[Any]) -> dict[str, Any]:
    padded = [*item, None, None]
    return {"id": padded[0], "score": padded[1]}


def _by_score(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """By score, then by id, both descending; a score that is no number is left to the check."""

    def order(item: tuple[str, Any]) -> tuple[float, bytes]:
        is_number = isinstance(item[1], int | float) and item[1] == item[1]
        return (item[1] if is_number else float("-inf"), item[0].encode("utf-8", "surrogatepass"))

    ranked = sorted(scores.items(), key=order, reverse=True)
    return [{"id": chunk_id, "score": score} for chunk_id, score in ranked]
