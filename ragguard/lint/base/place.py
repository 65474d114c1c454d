"""Where a suite's files were at a commit, and how its rows were read then."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ragguard import git
from ragguard.config.model import Config, Suite
from ragguard.config.reading import config_from_text
from ragguard.dataset.files import match_files
from ragguard.errors import ConfigError, InputError
from ragguard.lint.base.tree import BaseTree


@dataclass(frozen=True, slots=True)
class BasePlace:
    """A suite at a commit.

    Attributes:
        ref: the branch, tag or commit that was asked for.
        suite: as it was configured then; as it is now where no configuration tells.
        folder: of the configuration then, from the repository's root.
        names: its datasets then, from the root.
        notes: what had to be assumed.
    """

    tree: BaseTree
    ref: str
    suite: Suite
    folder: str
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def reads_as(self, now: Suite) -> bool:
        """Whether a line said then what it says now."""
        return dict(now.fields) == dict(self.suite.fields)

    def unchanged(self, names: Iterable[str], now: Suite) -> frozenset[str]:
        """Those of these files of today that were its datasets then, with the rows they have."""
        common = frozenset(names).intersection(self.names) if self.reads_as(now) else frozenset()
        return common - self.tree.changed(common) if common else common


def find_place(tree: BaseTree, suite: Suite, config: Config, ref: str) -> BasePlace:
    """A suite as the configuration of that commit has it, else as today's has it.

    A configuration that was moved is followed; so is a dataset, where no configuration of then
    names it.
    """
    moved = git.renamed_from(tree.root, tree.commit) if _is_moved(tree, config) else {}
    notes: tuple[str, ...] = ()
    name = tree.name_of(config.path) if config.path else None
    before = moved.get(name, name) if name is not None else None
    if before is not None and tree.has(before):
        try:
            then = _config_at(tree, before).suites.get(suite.name)
        except (ConfigError, InputError):
            then, notes = None, (f"{before} of {ref} cannot be read: today's settings are used",)
        if then is not None:
            folder = posixpath.dirname(before)
            return BasePlace(tree, ref, then, folder, tree.match(then.dataset, folder), notes)
    folder = tree.name_of(config.root) or ""
    files = match_files(suite.dataset, config.root).files
    today = [found for path in files if (found := tree.name_of(path)) is not None]
    names = [*tree.match(suite.dataset, folder), *(moved[n] for n in today if n in moved)]
    return BasePlace(tree, ref, suite, folder, tuple(dict.fromkeys(names)), notes)


def _is_moved(tree: BaseTree, config: Config) -> bool:
    """Whether to look for moves, which takes git longer than all else."""
    name = tree.name_of(config.path) if config.path else None
    return name is None or not tree.has(name)


def _config_at(tree: BaseTree, name: str) -> Config:
    with tree.copy(name) as path:
        text = path.read_bytes().decode("utf-8-sig", "replace")
    return config_from_text(text, Path(tree.root, name))
