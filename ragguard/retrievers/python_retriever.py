"""A retriever written in Python, run by the project's own interpreter."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from ragguard.config.model import RetrieverSettings
from ragguard.errors import RetrieverError
from ragguard.retrievers.worker import WorkerRetriever

_ADAPTER = Path(__file__).with_name("python_worker.py")


def python_retriever(
    suite: str,
    settings: RetrieverSettings,
    root: Path,
    variables: Mapping[str, str] | None = None,
) -> WorkerRetriever:
    """A python retriever, run by the project's own interpreter.

    Raises:
        RetrieverError: there is no such interpreter.
    """
    interpreter = find_interpreter(settings.options.get("interpreter"), root)
    command = [interpreter, str(_ADAPTER), str(root), str(settings.target)]
    id_field = settings.options.get("id_field")
    command += [id_field] if id_field else []
    return WorkerRetriever(suite, settings, command, root, variables)


def find_interpreter(asked: str | None, root: Path) -> str:
    """The interpreter asked for (a name on PATH, or a path from the configuration's folder).

    Without one: python, else python3, first on PATH.

    Raises:
        RetrieverError: there is none.
    """
    for name in (asked,) if asked else ("python", "python3"):
        beside = root / name
        found = str(beside) if "/" in name and beside.is_file() else shutil.which(name)
        if found:
            return found
    if asked is None and sys.executable:
        return sys.executable
    raise RetrieverError(
        f"no interpreter {asked!r} on PATH", hint="name one that exists with `interpreter:`"
    )
