"""Serves a retriever written in Python to ragguard, over stdin and stdout.

Runs in the project's own interpreter (3.8 or newer) and imports nothing but the standard library
and the project's module, so that the project's dependencies and ragguard's never meet.

Usage: python python_worker.py FOLDER MODULE:NAME [ID_FIELD]
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

METHODS = ("search", "retrieve", "invoke", "get_relevant_documents")
ID_NAMES = ("id", "item_id", "chunk_id", "doc_id")
NODE_ID_NAMES = ("node_id", "id_")
_OPTIONAL = ("limit", "k", "top_k", "n", "context")
_MOST_RESULTS = 1000000
_PROCESS = os.getpid()


def main(folder: str, target: str, id_field: str | None = None) -> int:
    """Answer questions until stdin ends."""
    questions, answers = _claim_stdin(), _claim_stdout()
    _import_from(folder)
    json.loads(questions.readline())
    try:
        retriever = load(target)
        call = callable_of(retriever)
    except BaseException as error:
        _tell(answers, {"ready": False, "error": _last_lines(error)})
        return 1
    _tell(answers, _introduction(target, retriever))
    loop = _Loop()
    for line in questions:
        question = json.loads(line)
        started = time.perf_counter()
        answer = _answer(call, question, id_field, loop)
        answer["id"] = question["id"]
        answer["latency_ms"] = (time.perf_counter() - started) * 1000
        _tell(answers, answer)
    return 0


def _import_from(folder: str) -> None:
    """Put the project's folder first, and take that of this file out: its names are not theirs."""
    here = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - pathlib takes longer to load
    sys.path[:] = [folder, *(path for path in sys.path if os.path.realpath(path) != here)]


def _claim_stdin() -> Any:
    """Keep the real stdin for questions; whatever else reads, a child included, finds it empty."""
    questions = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return questions


def _claim_stdout() -> Any:
    """Keep the real stdout for answers; whatever else prints goes to the log."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def _tell(answers: Any, message: dict[str, Any]) -> None:
    if os.getpid() != _PROCESS:
        os._exit(0)  # a fork that came back from the retriever: only the process asked answers
    try:
        text = json.dumps(message)
    except (TypeError, ValueError, RecursionError) as error:
        text = json.dumps({"id": message.get("id"), "error": f"not an answer in JSON: {error}"})
    data = memoryview(text.encode("ascii") + b"\n")
    while data:
        data = data[answers.write(data) :]


def _introduction(target: Any, retriever: Any) -> Any:
    system = getattr(retriever, "system", None)
    return {
        "ready": True,
        "name": target,
        "system": system if isinstance(system, dict) else {},
        "environment": {
            "python": platform.python_version(),
            "platform": f"{sys.platform}-{platform.machine()}",
        },
    }


def _last_lines(error: Any) -> Any:
    return "".join(traceback.format_exception(type(error), error, error.__traceback__)[-3:]).strip()


def load(target: str) -> Any:
    """The object that MODULE:NAME names; a class is made into an instance."""
    module_name, _, path = target.partition(":")
    found = importlib.import_module(module_name)
    for name in path.split("."):
        found = getattr(found, name)
    return found() if inspect.isclass(found) else found


def callable_of(retriever: Any) -> Any:
    """A function (query, limit, context) over a function or an object with a known method."""
    function = _function_of(retriever)
    accepted = _accepted(function)

    def call(query: Any, limit: Any, context: Any) -> Any:
        given = {"limit": limit, "k": limit, "top_k": limit, "n": limit, "context": context}
        if accepted is None:
            return function(query, limit)
        positional = [limit] if accepted == "position" else []
        named = {} if accepted == "position" else {name: given[name] for name in accepted}
        return function(query, *positional, **named)

    return call


def _function_of(retriever: Any) -> Any:
    if inspect.isroutine(retriever):
        return retriever
    for name in METHODS:
        if callable(getattr(retriever, name, None)):
            return getattr(retriever, name)
    if callable(retriever):
        return retriever
    raise TypeError(
        f"{type(retriever).__name__} is neither a function nor an object with one of "
        + ", ".join(METHODS)
    )


def _accepted(function: Any) -> Any:
    """How to pass limit and context: by name, "position" for a second argument of another name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    by_position = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = [p for p in parameters if p is not (by_position[0] if by_position else None)]
    names = [p.name for p in rest if p.name in _OPTIONAL and p.kind != p.POSITIONAL_ONLY]
    if any(p.name in ("limit", "k", "top_k", "n") for p in rest if p.name in names):
        return names
    required = [p for p in by_position[1:] if p.default is p.empty and p.name != "context"]
    if required or any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return "position"
    return names


def _answer(call: Any, question: Any, id_field: Any, loop: Any) -> Any:
    try:
        found = call(question["query"], question["limit"], question.get("context") or {})
        if inspect.isawaitable(found):
            found = loop.run(found)
        return _as_answer(found, id_field)
    except Exception as error:
        with suppress(OSError, ValueError):  # the retriever may have closed the log
            traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}"}


class _Loop:
    """One event loop for all questions, so that a retriever may keep connections in it."""

    def __init__(self) -> None:
        self._loop: Any = None

    def run(self, awaitable: Any) -> Any:
        """What an awaitable gives; asyncio is imported when the first one comes."""
        if self._loop is None:
            import asyncio

            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(_awaited(awaitable))


async def _awaited(found: Any) -> Any:
    return await found


def _as_answer(found: Any, id_field: Any) -> Any:
    """The message for whatever a retriever returned."""
    if isinstance(found, dict) and "results" in found:
        answer = {key: found[key] for key in ("rewritten", "admitted") if key in found}
        answer["results"] = _items(found["results"], id_field)
        stages = found.get("stages") or {}
        if not isinstance(stages, dict):
            raise TypeError(f"stages is {type(stages).__name__}, no dict of lists by name")
        answer["stages"] = {name: _items(each, id_field) for name, each in stages.items()}
        return answer
    return {"results": _items(found, id_field)}


def _items(found: Any, id_field: Any) -> Any:
    if found is None:
        raise TypeError("the retriever returned None; it must return a list of results")
    if isinstance(found, (set, frozenset)):
        raise TypeError("the retriever returned a set, which has no order; return a list")
    # A table or a mapping would be walked by its column names or keys, which are no ids.
    is_named = isinstance(found, (str, bytes, Mapping)) or hasattr(found, "iterrows")
    if is_named or not hasattr(found, "__iter__"):
        raise TypeError(f"the retriever returned {type(found).__name__}, no list of results")
    listed = list(islice(found, _MOST_RESULTS + 1))
    if len(listed) > _MOST_RESULTS:
        raise TypeError(f"the retriever returned more than {_MOST_RESULTS} results; is it endless?")
    # Bare ids go as they are: most retrievers of an evaluation return nothing else.
    return [item if type(item) is str else _item(item, id_field) for item in listed]


def _item(item: Any, id_field: Any) -> Any:
    if isinstance(item, (str, int, float)) or item is None:
        return {"id": item}
    if isinstance(item, dict):
        chosen = _named(item.get, item.get("metadata"), id_field, ID_NAMES)
        return _with_score({"id": chosen}, item.get("score"), item.get("text"))
    if isinstance(item, (tuple, list)) and item and not _has_named_id(item, id_field):
        document, score = item[0], (item[1] if len(item) > 1 else None)
        named = isinstance(document, (str, int, float))
        inner = {"id": document} if named else _item(document, id_field)
        return _with_score(inner, score, None)
    return _object(item, id_field)


def _has_named_id(item: Any, id_field: Any) -> Any:
    """Whether a tuple is a named one with an id among its names, wherever that stands."""
    return not {id_field, *ID_NAMES}.isdisjoint(getattr(item, "_fields", ()))


def _object(item: Any, id_field: Any) -> Any:
    """A LangChain Document, a LlamaIndex node, or any object with an id."""
    score = getattr(item, "score", None)
    node = getattr(item, "node", None)
    inner = item if node is None else node
    metadata = getattr(inner, "metadata", None)
    names = ID_NAMES + NODE_ID_NAMES
    chosen = _named(lambda name: getattr(inner, name, None), metadata, id_field, names)
    if chosen is None and isinstance(metadata, dict):
        chosen = _first(metadata.get, ID_NAMES)
    if chosen is None:
        raise TypeError(f"{type(item).__name__} has no id; name its metadata key with id_field")
    text = getattr(inner, "page_content", None) or getattr(inner, "text", None)
    return _with_score({"id": chosen}, score, text if isinstance(text, str) else None)


def _named(get: Any, metadata: Any, id_field: Any, names: Any) -> Any:
    """The id under `id_field` and nowhere else, for another id is of another id space."""
    if not id_field:
        return _first(get, names)
    chosen = metadata.get(id_field) if isinstance(metadata, dict) else None
    chosen = get(id_field) if chosen is None else chosen
    if chosen is None:
        raise TypeError(f"a result has no {id_field!r}, which id_field names as its id")
    return chosen


def _first(get: Any, names: Any) -> Any:
    return next((get(name) for name in names if get(name) is not None), None)


def _with_score(chosen: Any, score: Any, text: Any) -> Any:
    if isinstance(score, (str, bytes)):
        raise TypeError(f"the score of {chosen['id']!r} is {score!r}: a text, no number")
    if score is not None:
        chosen["score"] = score if isinstance(score, (int, float)) else float(score)
    if isinstance(text, str):
        chosen["text"] = text
    return chosen


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
