"""From the JSON that a retriever answered to an `Answer`, or to why it cannot be scored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from ragguard.retrievers.answer import Answer, Failure, Ranking, Retrieved

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LONGEST_VALUE, _LONGEST_ERROR = 80, 2_000
"""Characters shown of a value at fault, and of an error."""


class InvalidAnswerError(ValueError):
    """An answer that cannot be scored."""


def parse_answer(message: Mapping[str, Any], depth: int) -> Answer | Failure:
    """The answer that a message of the worker protocol holds, cut at `depth`.

    Ids must be non-empty strings and scores finite numbers: anything else is `invalid`, never
    guessed at.
    """
    if message.get("error") is not None:
        return Failure("error", shown_error(message["error"]))
    try:
        results = _listed(message.get("results"), "results")
        stages = message.get("stages")
        return Answer(
            ranking=_ranking(results[:depth]),
            stages={
                str(name): _ranking(_listed(stage, f"stage {name!r}"))
                for name, stage in ({} if stages is None else _mapping(stages)).items()
            },
            rewritten=_text(message.get("rewritten")),
            admitted=_admitted(message.get("admitted")),
            warnings=_too_many(len(results), depth),
        )
    except InvalidAnswerError as error:
        return Failure("invalid", str(error))


def _listed(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidAnswerError(f"{what} must be a list, not {_kind(value)}")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidAnswerError(f"stages must be an object, not {_kind(value)}")
    return value


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InvalidAnswerError(f"rewritten must be a text, not {_kind(value)}")
    return value


def _admitted(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidAnswerError(f"admitted must be a count, not {shortened(value)}")
    return value


def _too_many(count: int, depth: int) -> tuple[str, ...]:
    if count <= depth:
        return ()
    return (f"answered {count} results where {depth} were asked for; the rest was cut off",)


def _ranking(results: list[Any]) -> Ranking:
    if set(map(type, results)) == {str} and "" not in results:
        return tuple([Retrieved(chunk_id) for chunk_id in results])
    return tuple([_retrieved(item, rank) for rank, item in enumerate(results, 1)])


def _retrieved(item: Any, rank: int) -> Retrieved:
    if not isinstance(item, dict):
        item = {"id": item}
    chunk_id, score = item.get("id"), item.get("score")
    if not isinstance(chunk_id, str):
        raise InvalidAnswerError(
            f"the id at rank {rank} is {_kind(chunk_id)} ({shortened(chunk_id)}); ids are strings"
        )
    if not chunk_id:
        raise InvalidAnswerError(f"the id at rank {rank} is empty")
    if score is not None and not _is_finite(score):
        raise InvalidAnswerError(
            f"the score of {chunk_id!r} is {shortened(score)}, no finite number"
        )
    return Retrieved(chunk_id, None if score is None else float(score))


def _is_finite(score: Any) -> bool:
    if isinstance(score, bool) or not isinstance(score, int | float):
        return False
    try:
        return isfinite(score)
    except OverflowError:
        return False


def _kind(value: Any) -> str:
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a text", list: "a list"}
    return "nothing" if value is None else names.get(type(value), "an object")


def parse_latency(value: Any) -> float | None:
    """Milliseconds as the worker measured them; None where it tells no sensible time."""
    return float(value) if _is_finite(value) and value >= 0 else None


def recordable(value: Any) -> Any:
    """What a worker says of itself as a report can hold it: a number that is none as a text."""
    if isinstance(value, dict):
        return {name: recordable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [recordable(each) for each in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def shown_error(value: Any) -> str:
    """An error as the retriever tells it, its end left out where it goes on and on."""
    text = without_control(value if isinstance(value, str) else repr(value)).strip()
    return _cut(text, _LONGEST_ERROR) or "the retriever gave an error without a message"


def without_control(text: str) -> str:
    """A text whose control characters are shown, so that none reaches a terminal; lines stay."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text.replace("\r\n", "\n"))


def shortened(value: Any) -> str:
    """The look of a value of whatever size."""
    return _cut(repr(value), _LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
