"""Writing a dataset and its sidecar."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from ragguard.atomic import replace_file
from ragguard.dataset.sidecar import sidecar_path
from ragguard.errors import InputError
from ragguard.location import Location


def write_dataset(path: Path, lines: Iterable[str], versions: Mapping[str, str | None]) -> None:
    """Write rows and, where a version is given, the sidecar; each file whole or not at all.

    Rows are compressed when the name ends in `.gz`; the same rows give the same bytes.

    Raises:
        InputError: the place cannot be written to.
    """
    known = {name: version for name, version in versions.items() if version is not None}
    try:
        content = "".join(lines).encode()
        is_packed = path.name.endswith(".gz")
        replace_file(path, gzip.compress(content, mtime=0) if is_packed else content)
        if known:
            facts = json.dumps(known, ensure_ascii=False, indent=2) + "\n"
            replace_file(sidecar_path(path), facts.encode())
    except OSError as error:
        raise InputError(
            f"cannot write it: {error.strerror or error}", location=Location(path.as_posix())
        ) from error
