"""Foreign text made harmless to look at: nothing invisible, nothing that moves other text.

Query texts, ids and messages come from people and programs that may be careless or hostile.
Control characters steer terminals; bidirectional marks reorder what a reviewer sees.
"""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\u200c\u200d")
"""Joiners: they carry meaning in many scripts and in emoji, and move nothing."""

_SPACES = frozenset({"Zl", "Zp", "Zs"})
_NAMED = frozenset({"Cc", "Cf", "Cs", "Cn"})


def visible(text: str, limit: int | None = None) -> str:
    """The text on one line, characters that cannot be seen written as their code point.

    Args:
        text: anything.
        limit: longest result in characters; what is longer ends in an ellipsis.
    """
    if limit is not None:
        # Cut before working: a text of megabytes costs no more than a long one.
        text = text[: 4 * limit]
    plain = text.isascii() and text.isprintable()
    line = " ".join((text if plain else "".join(map(_visible_character, text))).split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def visible_lines(text: str) -> str:
    """The text with its lines and spaces as they are, and nothing in it that steers a terminal."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join("".join(map(_visible_character, line)) for line in text.split("\n"))


def _visible_character(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    category = unicodedata.category(character)
    if character in "\t\n\r\v\f\x85" or category in _SPACES:
        return " "
    if category in _NAMED and character not in _KEPT:
        point = ord(character)
        return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
    return character
