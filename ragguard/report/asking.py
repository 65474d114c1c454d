"""Asking the retrievers of all suites, so that one that fails takes nothing from the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragguard.config.model import Suite
from ragguard.corpus.chunk import Chunk
from ragguard.corpus.manifest import open_manifest
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.evaluation.runner import SuiteOutcome, evaluate, unanswered
from ragguard.retrievers.answer import Retriever
from ragguard.retrievers.opening import open_retriever

Progress = Callable[[str, int], Callable[[], None]]
"""Told a suite and its number of queries, gives what to call after each query."""


def no_progress(_suite: str, _count: int) -> Callable[[], None]:
    """Progress that nobody watches."""
    return lambda: None


@dataclass(frozen=True, slots=True)
class AskedSuite:
    """A suite and what is asked of it.

    Attributes:
        root: folder to which its paths are relative.
        queries: those that are asked.
        known: ids of all queries of the dataset.
    """

    suite: Suite
    root: Path
    queries: Sequence[Query]
    known: Collection[str]

    def open(self) -> Retriever:
        """Its retriever; raises as `open_retriever` does."""
        return open_retriever(self.suite, self.root, self.known)

    def chunks(self, ids: frozenset[str]) -> Mapping[str, Chunk]:
        """What its manifest knows of these chunks."""
        return open_manifest(self.root / str(self.suite.corpus)).chunks(ids)


def evaluate_suites(suites: Sequence[AskedSuite], progress: Progress) -> dict[str, SuiteOutcome]:
    """The outcome of each suite by name, in order.

    Where another suite could be asked, the queries of one whose retriever does not start are
    errors, as if it had failed on each of them.

    Raises:
        ConfigError, InputError: settings, a run file or a manifest cannot be used; found before
            any query is asked.
        RetrieverError: none of the retrievers starts.
    """
    early = _opened_early(suites)
    outcomes: dict[str, SuiteOutcome] = {}
    lost: dict[str, RetrieverError] = {}
    for asked in suites:
        try:
            outcomes[asked.suite.name] = _evaluated(asked, early, progress)
        except RetrieverError as error:
            lost[asked.suite.name] = error
    if lost and not outcomes:
        raise next(iter(lost.values()))
    for asked in suites:
        if asked.suite.name in lost:
            fault = lost[asked.suite.name]
            outcomes[asked.suite.name] = unanswered(asked.queries, asked.suite, fault)
    return {asked.suite.name: outcomes[asked.suite.name] for asked in suites}


def _opened_early(suites: Iterable[AskedSuite]) -> dict[str, Retriever | RetrieverError]:
    """What can be opened before the first question at no cost: what is wrong shows then.

    The built-in search holds its index in memory, and waits for its turn.
    """
    listed = list(suites)
    opened: dict[str, Retriever | RetrieverError] = {}
    for asked in listed:
        settings = asked.suite.retriever
        if settings is None or settings.kind != "search":
            try:
                opened[asked.suite.name] = asked.open()
            except RetrieverError as error:
                opened[asked.suite.name] = error
        if asked.suite.corpus and len(listed) > 1:
            asked.chunks(frozenset())
    return opened


def _evaluated(
    asked: AskedSuite, early: Mapping[str, Retriever | RetrieverError], progress: Progress
) -> SuiteOutcome:
    retriever = early.get(asked.suite.name) or asked.open()
    if isinstance(retriever, RetrieverError):
        raise retriever
    return evaluate(
        asked.queries,
        retriever,
        asked.suite.scoring,
        chunks=asked.chunks if asked.suite.corpus else None,
        progress=progress(asked.suite.name, len(asked.queries)),
    )
