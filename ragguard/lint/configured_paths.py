"""Where a configuration names the files of its suites."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config
from ragguard.config.positions import PositionedYaml
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class MissingPath:
    """A path or glob of a configuration that nothing matches.

    Attributes:
        written: as the configuration has it.
    """

    suite: str
    kind: Literal["dataset", "corpus"]
    written: str

    @property
    def is_glob(self) -> bool:
        """Whether it is a pattern."""
        return glob.has_magic(self.written)


def locate_paths(
    config: Config, missing: Iterable[MissingPath]
) -> Iterator[tuple[MissingPath, Location]]:
    """Each of them with where it stands in the configuration; read once more for that."""
    if config.path is None:
        yield from ((path, Location(path.written, 1, 1)) for path in missing)
        return
    text = config.path.read_bytes().decode("utf-8-sig")
    document = PositionedYaml.parse(text, shown_path(config.path))
    for path in missing:
        steps: list[str | int] = ["suites", path.suite, path.kind]
        listed = document.value["suites"][path.suite][path.kind]
        if isinstance(listed, list) and path.written in listed:
            steps.append(listed.index(path.written))
        yield path, document.locate(steps)
