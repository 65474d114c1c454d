"""From a suite's configuration to the retriever it names; each kind is imported when it is used."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ragguard.config.discovery import shown_path
from ragguard.config.model import Suite
from ragguard.corpus.manifest import open_manifest
from ragguard.errors import ConfigError
from ragguard.retrievers.answer import Retriever


def open_retriever(suite: Suite, root: Path, known: Collection[str] | None = None) -> Retriever:
    """The retriever of a suite, ready to be asked.

    Args:
        suite: the suite.
        root: folder to which its paths are relative.
        known: ids of all queries of the dataset, where some alone are asked.

    Raises:
        ConfigError: the suite names none.
        InputError: its run file or manifest cannot be read.
        RetrieverError: it cannot be started.
    """
    settings = suite.retriever
    if settings is None:
        raise ConfigError(
            f"suite {suite.name!r} has no retriever",
            hint="add `retriever:` with python, run or search (docs/retrievers.md)",
        )
    if settings.kind == "python":
        from ragguard.retrievers.worker import python_retriever

        return python_retriever(suite.name, settings, root)
    if settings.kind == "run":
        from ragguard.retrievers.run_file import RunFileRetriever

        path = root / str(settings.target)
        return RunFileRetriever(path, shown_path(path), known)
    from ragguard.retrievers.full_text import FullTextRetriever, SearchSettings

    manifest = open_manifest(root / str(suite.corpus))
    return FullTextRetriever(
        manifest.iter_chunks(with_text=True),
        SearchSettings(**settings.options),
        access_from=suite.scoring.policy.access_from,
        timeout=settings.timeout,
    )
