"""Differences of one kind between two ids, which explain them better than a number of edits."""

from __future__ import annotations

import re
import unicodedata

_SEPARATOR = re.compile(r"[/:#.\-_|]")
SHORTEST_TAIL = 3
"""Characters that an id has at least when another is said to be it with a prefix."""

_SPACES = {ord(character): None for character in map(chr, range(0x3001)) if character.isspace()}


def fold(text: str) -> str:
    """The id without what people confuse: normal form, case, white space, `_` against `-`.

    Texts that are joined by null characters fold as each of them does.
    """
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return normal.casefold().translate(_SPACES).replace("_", "-")


def difference(one: str, other: str) -> str:
    """In what two ids that fold to the same differ, in words."""
    if one.strip() == other.strip() or "".join(one.split()) == "".join(other.split()):
        return "white space"
    if unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", other):
        return "normalisation"
    if one.casefold() == other.casefold():
        return "case"
    return "case, white space, normalisation or `_` against `-`"


def tails(text: str) -> list[str]:
    """What follows each separator of an id, where it is long enough to mean something."""
    ends = [match.end() for match in _SEPARATOR.finditer(text)]
    return [text[end:] for end in ends if len(text) - end >= SHORTEST_TAIL]


def heads(text: str) -> list[str]:
    """What precedes each separator of an id; nothing before the first is no head."""
    return [text[: match.start()] for match in _SEPARATOR.finditer(text) if match.start()]


def is_separator(character: str) -> bool:
    """Whether a character parts an id from a prefix or a suffix."""
    return _SEPARATOR.fullmatch(character) is not None
