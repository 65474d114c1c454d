"""From a suite's configuration to the retriever it names; each kind is imported when it is used."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from ragguard.config.discovery import shown_path
from ragguard.config.environment import variable_values
from ragguard.config.model import Suite
from ragguard.corpus.manifest import open_manifest
from ragguard.errors import ConfigError
from ragguard.retrievers.answer import Retriever


def open_retriever(
    suite: Suite,
    root: Path,
    known: Collection[str] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Retriever:
    """The retriever of a suite, ready to be asked.

    Args:
        suite: the suite.
        root: folder to which its paths are relative.
        known: ids of all queries of the dataset, where some alone are asked.
        environment: where the variables are that its settings name.

    Raises:
        ConfigError: the suite names none, or its settings name variables that are not set.
        InputError: its run file or manifest cannot be read.
        RetrieverError: it cannot be started.
    """
    settings = suite.retriever
    if settings is None:
        raise ConfigError(
            f"suite {suite.name!r} has no retriever",
            hint="add `retriever:` with python, command, http, run or search (docs/retrievers.md)",
        )
    variables = variable_values(settings.references, environment)
    if settings.kind == "python":
        from ragguard.retrievers.python_retriever import python_retriever

        return python_retriever(suite.name, settings, root, variables)
    if settings.kind == "command":
        from ragguard.retrievers.command_retriever import command_retriever

        return command_retriever(suite.name, settings, root, variables)
    if settings.kind == "http":
        from ragguard.retrievers.http_retriever import HttpRetriever

        return HttpRetriever(settings, variables)
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
