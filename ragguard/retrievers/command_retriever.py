"""A retriever in any language: a program that speaks the worker protocol."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from ragguard.config.model import RetrieverSettings
from ragguard.retrievers.worker import WorkerRetriever


def command_retriever(
    suite: str,
    settings: RetrieverSettings,
    root: Path,
    variables: Mapping[str, str] | None = None,
) -> WorkerRetriever:
    """A program run in the folder of the configuration, without a shell."""
    return WorkerRetriever(suite, settings, shlex.split(str(settings.target)), root, variables)
