"""Questions about a graph of commits: ancestors, merge base, what lies between, what differs."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from tests.loopback.state import Commit

Graph = Mapping[str, Commit]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How head stands to base: the commits of each side alone, oldest first, and the fork point."""

    merge_base: Commit
    ahead: tuple[Commit, ...]
    behind: tuple[Commit, ...]

    @property
    def status(self) -> str:
        """GitHub's word for it."""
        if self.ahead and self.behind:
            return "diverged"
        return "ahead" if self.ahead else "behind" if self.behind else "identical"


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs between two trees; ``sha`` is the git blob id."""

    path: str
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str


def ancestors(graph: Graph, sha: str) -> dict[str, None]:
    """``sha`` and all that it descends from, nearest first; unknown commits end the walk."""
    seen: dict[str, None] = {}
    waiting = [sha]
    while waiting:
        current = waiting.pop(0)
        if current in graph and current not in seen:
            seen[current] = None
            waiting.extend(graph[current].parents)
    return seen


def compare(graph: Graph, base: str, head: str) -> Comparison | None:
    """How ``head`` stands to ``base``; None when they share no history."""
    base_side, head_side = ancestors(graph, base), ancestors(graph, head)
    common = [sha for sha in head_side if sha in base_side]
    inner = {
        above
        for sha in common
        for parent in graph[sha].parents
        for above in ancestors(graph, parent)
    }
    best = [sha for sha in common if sha not in inner]
    if not best:
        return None
    return Comparison(
        graph[best[0]],
        tuple(graph[sha] for sha in reversed(head_side) if sha not in base_side),
        tuple(graph[sha] for sha in reversed(base_side) if sha not in head_side),
    )


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[FileChange]:
    """The files that differ between two trees, by path."""
    paths = sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    return [_change(path, before.get(path), after.get(path)) for path in paths]


def _change(path: str, before: bytes | None, after: bytes | None) -> FileChange:
    old, new = ((side or b"").decode("utf-8", "replace").split("\n") for side in (before, after))
    lines = list(difflib.unified_diff(old, new, lineterm=""))[2:]
    return FileChange(
        path,
        "added" if before is None else "removed" if after is None else "modified",
        blob_sha(after if after is not None else before or b""),
        sum(line.startswith("+") for line in lines),
        sum(line.startswith("-") for line in lines),
        "\n".join(lines),
    )


def blob_sha(content: bytes) -> str:
    """The id that git gives to this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
