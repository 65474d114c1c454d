"""A piece of somebody's line for a terminal, every character in a known number of cells.

A caret below it stands right only when nothing in it moves the rest: control characters, tabs and
whatever cannot be seen are written out, and wide characters are counted as the two cells they take.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from ragguard.lint.excerpts import Excerpt

WIDTH = 88
"""Cells of the longest excerpt, its ellipses aside."""

LEAD = 32
"""Cells that are shown before the place where the line is cut on its left."""

ELLIPSIS = "…"

_CONTROL_PICTURES = 0x2400
_DELETE = 0x7F
_DELETE_PICTURE = "\u2421"
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn as nothing."""

_SELECTORS = (range(0xFE00, 0xFE10), range(0x1F3FB, 0x1F400), range(0xE0100, 0xE01F0))
"""What chooses the look of the character before it; terminals disagree about its cells."""

_JOINED_JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
"""Vowels and finals of Hangul that are drawn into the letter before them."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An excerpt as it is printed.

    Attributes:
        line: one line without anything that moves the cursor.
        lead: cells before the place.
        marked: cells of the value at the place that are shown, at least 1.
    """

    line: str
    lead: int
    marked: int


def drawn(excerpt: Excerpt, column: int) -> Drawn:
    """An excerpt cut to `WIDTH` cells around a column (1-based, of the line)."""
    if excerpt.text.isascii() and excerpt.text.isprintable():  # most are, and runs print thousands
        shown, widths = list(excerpt.text), [1] * len(excerpt.text)
    else:
        shown = [_seen(character) for character in excerpt.text]
        widths = [_cells(each) for each in shown]
    place = min(column - excerpt.start, len(shown))
    value = max(1, sum(widths[place : place + excerpt.length]))
    before = sum(widths[:place])
    is_whole = excerpt.start == 1 and before + min(value, WIDTH - LEAD) <= WIDTH
    first = 0 if is_whole else _first(widths, place)
    end = first + sum(total <= WIDTH for total in accumulate(widths[first:]))
    left = ELLIPSIS if first > 0 or excerpt.start > 1 else ""
    right = ELLIPSIS if end < len(shown) or excerpt.is_cut else ""
    lead = len(left) + sum(widths[first:place])
    marked = max(1, sum(widths[place : min(place + excerpt.length, end)]))
    return Drawn(left + "".join(shown[first:end]) + right, lead, marked)


def _first(widths: list[int], place: int) -> int:
    """The first character shown: `LEAD` cells before the place, at a character of its own."""
    first, used = place, 0
    while first > 0 and used + widths[first - 1] <= LEAD:
        first -= 1
        used += widths[first]
    while first < place and widths[first] == 0:
        first += 1
    return first


@lru_cache(maxsize=4096)
def _seen(character: str) -> str:
    """A character, or what stands for one that cannot be seen."""
    if character == " " or (character.isascii() and character.isprintable()):
        return character
    point = ord(character)
    if point < ord(" "):
        return chr(_CONTROL_PICTURES + point)
    if point == _DELETE:
        return _DELETE_PICTURE
    return f"<U+{point:04X}>" if _is_unseen(character) else character


def _is_unseen(character: str) -> bool:
    if character in _BLANKS or unicodedata.category(character) in _UNSEEN:
        return True
    return any(ord(character) in selectors for selectors in _SELECTORS)


@lru_cache(maxsize=4096)
def _cells(shown: str) -> int:
    """How many cells of a terminal a character takes, or what stands for it."""
    if len(shown) > 1 or shown.isascii():
        return len(shown)
    if unicodedata.category(shown) in {"Mn", "Me"} or any(
        ord(shown) in each for each in _JOINED_JAMO
    ):
        return 0
    return 2 if unicodedata.east_asian_width(shown) in {"W", "F"} else 1
