"""Files named by globs: those of per-file ignores and of exclusion."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|.", re.DOTALL)
_TRANSLATED = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def path_from(root: Path, path: Path) -> str:
    """A file's path from a folder as globs are written: forward slashes, `..` where it must."""
    return Path(os.path.relpath(path, root)).as_posix()


def glob_matches(glob: str, written: str) -> bool:
    """Whether a glob means a file, or a folder that the file lies in.

    `*` and `?` stay within a name, `**` stands for any number of folders. A glob without a slash
    is the name of a file or folder anywhere; one with a slash is a path.

    Args:
        glob: as written in the configuration.
        written: the file's path from the configuration's folder.
    """
    return written == glob or _pattern(glob).fullmatch(written) is not None


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    plain = glob.removeprefix("./").removesuffix("/")
    anywhere = "" if "/" in glob.removesuffix("/") else "(?:.*/)?"
    pieces = "".join(_regex_of(piece) for piece in _PIECE.findall(plain.lstrip("/")))
    return re.compile(f"{anywhere}{pieces}(?:/.*)?", re.DOTALL)


def _regex_of(piece: str) -> str:
    if piece in _TRANSLATED:
        return _TRANSLATED[piece]
    if len(piece) == 1:
        return re.escape(piece)
    inside = piece[1:-1]
    negation, inside = ("^", inside[1:]) if inside[0] in "!^" else ("", inside)
    if not inside:
        return re.escape(piece)
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside)
    try:
        return re.compile(f"[{negation}{escaped}]").pattern
    except re.error:  # a range that runs backwards: the piece means itself
        return re.escape(piece)
