"""Serving a piece of code as a python retriever, and looking at what it replied."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from ragguard.config.model import RetrieverSettings
from ragguard.dataset.query import Query
from ragguard.retrievers.answer import Answer, Failure, Reply
from ragguard.retrievers.python_retriever import python_retriever

Ask = Callable[..., list[Reply]]


def ask_served(
    folder: Path,
    code: str,
    *texts: str,
    target: str = "app:find",
    depth: int = 5,
    timeout: float = 5.0,
    interpreter: str = sys.executable,
    **options: str,
) -> list[Reply]:
    """Serve this code from `folder` as `app:find` and ask it queries with these texts."""
    (folder / "app.py").write_text(dedent(code), encoding="utf-8")
    settings = RetrieverSettings("python", target, {"interpreter": interpreter, **options}, timeout)
    queries = [Query(f"q{number}", text) for number, text in enumerate(texts or ("?",))]
    return list(python_retriever("docs", settings, folder).ask(queries, depth))


def ranking(reply: Reply) -> list[tuple[str, float | None]]:
    """The places of an answer as pairs."""
    assert isinstance(reply.outcome, Answer), reply.outcome
    return [(place.chunk_id, place.score) for place in reply.outcome.ranking]


def failure(reply: Reply) -> Failure:
    """The failure of a reply."""
    assert isinstance(reply.outcome, Failure), reply.outcome
    return reply.outcome
