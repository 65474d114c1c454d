"""How much of a text stands in another, by runs of three words."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
_LENGTH = 3


def runs(text: str) -> frozenset[int]:
    """The runs of three words of a text, as hashes; case and punctuation do not count.

    A text of fewer words is one run.
    """
    words = _WORD.findall(text.casefold())
    if not words:
        return frozenset()
    last = max(1, len(words) - _LENGTH + 1)
    return frozenset(hash(tuple(words[start : start + _LENGTH])) for start in range(last))


def share(found: frozenset[int], of: frozenset[int]) -> float:
    """The share of some runs that are among others, in [0, 1]; 0 of none."""
    return len(found & of) / len(of) if of else 0.0
