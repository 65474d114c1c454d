"""Reading an answer without letting a secret into what is written of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragguard.retrievers.answer import Answer, Failure
from ragguard.retrievers.parsing import parse_answer
from ragguard.retrievers.secret_values import Secrets


def discreet(message: Mapping[str, Any], depth: int, secrets: Secrets) -> Answer | Failure:
    """The answer that a message of the worker protocol holds, as `parse_answer` reads it.

    The value of a variable is replaced by its name wherever it stands; a chunk id that holds one
    cannot be changed without being another id, so such an answer is `invalid`.
    """
    if not secrets:
        return parse_answer(message, depth)
    for chunk_id in _ids(message):
        name = secrets.name_in(chunk_id)
        if name:
            return Failure(
                "invalid",
                f"a chunk id holds the value of ${{env:{name}}}, which is written nowhere; a value "
                "that is no secret can stand in the configuration itself",
            )
    return parse_answer(secrets.hidden_in(message), depth)


def _ids(message: Mapping[str, Any]) -> Iterator[str]:
    """The ids that a report would hold."""
    stages = message.get("stages")
    listed = [message.get("results"), *(stages.values() if isinstance(stages, dict) else ())]
    for results in listed:
        for item in results if isinstance(results, list) else ():
            chunk_id = item.get("id") if isinstance(item, dict) else item
            if isinstance(chunk_id, str):
                yield chunk_id
