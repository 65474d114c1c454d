"""The files of a repository as they were at a commit."""

from __future__ import annotations

import glob
import os
import posixpath
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import translate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ragguard import git
from ragguard.dataset.files import real_path
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.errors import InputError, UsageError

_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n"
)
_LONGEST_POINTER = 1024


class NoBaseError(Exception):
    """There is nothing to compare with here; the message says why."""


def _unknown(root: Path, ref: str) -> Exception:
    remote = f"origin/{ref}"
    fetch = f"git fetch origin {ref.removeprefix('origin/')}"
    if git.is_shallow(root):
        return NoBaseError(f"this shallow clone lacks it; `{fetch}` first")
    known = git.commit_of(root, remote) is not None
    return UsageError(
        f"--base {ref}: the repository has no such branch, tag or commit",
        hint=f"did you mean {remote}?" if known else f"`{fetch}`, then --base FETCH_HEAD",
    )


@dataclass(frozen=True, slots=True)
class BaseTree:
    """A commit of the repository whose root is `root`.

    Paths in it are written from the root, with forward slashes.

    Attributes:
        root: absolute, links resolved.
        commit: full id.
    """

    root: Path
    commit: str
    _known: dict[str, dict[str, str]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def open(cls, folder: Path, ref: str) -> BaseTree:
        """The commit where HEAD left the history of a ref; of the ref itself where that is unknown.

        Args:
            folder: any folder of the repository.
            ref: a branch, tag or commit.

        Raises:
            NoBaseError: there is no git, no repository, or a shallow clone lacks the ref.
            UsageError: the repository has no such ref.
        """
        if not git.is_installed():
            raise NoBaseError("git is not installed")
        top = git.ask(folder, "rev-parse", "--show-toplevel")
        if top.output is None:
            raise NoBaseError(top.complaint or "this is no git repository")
        root = real_path(Path(os.fsdecode(top.output.removesuffix(b"\n"))))
        commit = git.commit_of(root, ref)
        if commit is None:
            raise _unknown(root, ref)
        return cls(root, git.merge_base(root, commit) or commit)

    def name_of(self, path: Path) -> str | None:
        """The path from the root of a file or folder of the working tree; None outside of it."""
        path = real_path(path)
        if not path.is_relative_to(self.root):
            return None
        name = path.relative_to(self.root).as_posix()
        return "" if name == "." else name

    def has(self, name: str) -> bool:
        """Whether there was a file of this name."""
        return name in self._below(name)

    def match(self, patterns: Iterable[str], folder: str) -> tuple[str, ...]:
        """The files that paths and globs named there, as `dataset.files.match_files` reads them.

        Args:
            patterns: relative to the folder, or absolute.
            folder: path from the root.
        """
        names = (name for pattern in patterns for name in self._matches(pattern, folder))
        return tuple(dict.fromkeys(names))

    def _matches(self, pattern: str, folder: str) -> Iterator[str]:
        absolute = posixpath.join(self.root.as_posix(), folder, pattern)
        written = posixpath.relpath(posixpath.normpath(absolute), self.root.as_posix())
        if self.has(written) or self._is_linked(written):
            yield written
            return
        if glob.has_magic(written):
            steps = written.split("/")
            fixed = next(index for index, step in enumerate(steps) if glob.has_magic(step))
            for name in sorted(self._below("/".join(steps[:fixed]))):
                if _fits(name.split("/"), steps) and not name.endswith(".meta.json"):
                    yield name

    def _is_linked(self, name: str) -> bool:
        """Whether a link of today leads from a name to a file of the commit, then known by both."""
        kept = self.name_of(self.root / name)
        if kept is None or kept == name or not self.has(kept):
            return False
        self._below(name)[name] = self._below(kept)[kept]
        return True

    def _below(self, name: str) -> dict[str, str]:
        """The files at or below a path, with the id of the content of each."""
        if name.startswith("../"):
            return {}
        if name not in self._known:
            self._known[name] = dict(git.files_at(self.root, self.commit, name))
        return self._known[name]

    def changed(self, names: Iterable[str]) -> frozenset[str]:
        """Which of its files the working tree does not have as they were."""
        return git.changed_files(self.root, self.commit, names)

    @contextmanager
    def copy(self, name: str) -> Iterator[Path]:
        """A copy of a file as it was, under its own name and beside a copy of its sidecar.

        Raises:
            InputError: its content is not in this clone: kept in Git LFS and not fetched, say.
        """
        with TemporaryDirectory(prefix="ragguard-") as folder:
            target = Path(folder, posixpath.basename(name))
            self._save_sidecar(name, target)
            self._save(name, target)
            yield target

    def sidecar(self, name: str) -> dict[str, Any]:
        """What the sidecar of a file said; empty where there was none.

        Raises:
            InputError: it is no JSON object, or its content is not in this clone.
        """
        with TemporaryDirectory(prefix="ragguard-") as folder:
            target = Path(folder, posixpath.basename(name))
            self._save_sidecar(name, target)
            return read_sidecar(target, f"the sidecar of {name}")

    def _save_sidecar(self, name: str, target: Path) -> None:
        beside = posixpath.join(posixpath.dirname(name), sidecar_path(target).name)
        if self.has(beside):
            self._save(beside, sidecar_path(target))

    def _save(self, name: str, target: Path) -> None:
        if not git.save_content(self.root, self._below(name)[name], target):
            raise InputError(f"git cannot read {name} of {self.commit}")
        pointer = _POINTER.match(_first_bytes(target))
        if pointer is not None:
            kept = git.large_file(self.root, pointer[1].decode())
            if kept is None:
                raise InputError(f"{name} is kept in Git LFS and was not fetched")
            shutil.copyfile(kept, target)


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(_LONGEST_POINTER)


def _fits(name: list[str], steps: list[str]) -> bool:
    """Whether the steps of a path fit those of a glob; `**` stands for any number of folders."""
    if not steps:
        return not name
    if steps[0] == "**":
        rest = range(len(name) + 1)
        return any(
            _fits(name[index:], steps[1:])
            for index in rest
            if not any(step.startswith(".") for step in name[:index])
        )
    return bool(name) and _fits_step(name[0], steps[0]) and _fits(name[1:], steps[1:])


def _fits_step(name: str, step: str) -> bool:
    if name.startswith(".") and not step.startswith("."):
        return False
    return re.fullmatch(translate(step), name) is not None
