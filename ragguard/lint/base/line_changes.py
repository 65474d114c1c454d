"""Which lines of some files stand in none of some others: most lines of a dataset never change."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import TypeVar

from ragguard.dataset.lines import BOM, read_blocks

Lines = frozenset[int] | None
"""1-based numbers of lines; None for all lines."""

_File = TypeVar("_File")


def line_hashes(path: Path, shown: str) -> array[int]:
    """A hash of each line of a file, whatever ends it; 8 bytes a line.

    Raises:
        InputError: it cannot be read.
    """
    hashes = array("q")
    for block in read_blocks(path, shown):
        content = block.content.replace(b"\r\n", b"\n")
        if block.number == 1:
            content = content.removeprefix(BOM)
        lines = content.split(b"\n")
        if block.is_terminated:
            lines.pop()
        hashes.extend(map(hash, lines))
    return hashes


def new_lines(
    files: Mapping[_File, array[int]], others: Iterable[array[int]]
) -> dict[_File, frozenset[int]]:
    """By file the numbers of the lines that stand in none of the others."""
    known = frozenset(chain.from_iterable(others))
    return {
        file: frozenset(number for number, each in enumerate(hashes, 1) if each not in known)
        for file, hashes in files.items()
    }
