"""How much of a query's wording a text repeats: the longest common run of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from ragguard.lint.wording.words import SMALLEST_WEIGHT, Word, count_at_most, joined, total, words

__all__ = ["Run", "is_long", "joined", "repeated"]

FEWEST_WORDS = 8
SMALLEST_SHARE = 0.5
_BLOCK = 4

_QUOTED = re.compile(
    r"""`[^`]+`|"[^"]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』"""
    r"""|(?<!\w)['\u2018][^'\u2019]+(?:['\u2019](?=\w)[^'\u2019]+)*['\u2019](?!\w)"""
)
_PASTED = re.compile(r"\b\w*(?:[Ee]rror|ERROR|Exception|Warning)\b.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Run:
    """Words in a row of a query that stand so in a chunk.

    Attributes:
        start: index of its first character in the query.
        words, of: how many words it has, and the query.
    """

    start: int
    words: int
    of: int


def is_long(query: str) -> bool:
    """Whether a query can have a run that is reported."""
    return count_at_most(query) >= FEWEST_WORDS


def repeated(query: str, text: str) -> Run | None:
    """The longest run of a query's own words in a text; None when it is too short to tell.

    Args:
        query: the query as it is written.
        text: the words of a chunk, as `joined` gives them.
    """
    if not _may_repeat(query, text):
        return None
    everything = total(words(query))
    needed = max(FEWEST_WORDS, everything * SMALLEST_SHARE)
    longest: list[Word] = []
    for own in _own_words(query):
        run = _longest_run(own, text, needed)
        if total(run) > total(longest):
            longest = run
    if not longest:
        return None
    return Run(longest[0].start, int(total(longest)), int(everything))


def _may_repeat(query: str, text: str) -> bool:
    """A quick look: a run of eight words holds a whole one of the blocks of four that follow."""
    told = joined(query).split()
    blocks = (told[start : start + _BLOCK] for start in range(0, len(told) - _BLOCK + 1, _BLOCK))
    return any(f" {' '.join(block)} " in text for block in blocks)


def _own_words(query: str) -> Iterator[list[Word]]:
    """The stretches of words between what is quoted and before what is pasted."""
    masked = _PASTED.sub(_blank, _QUOTED.sub(_blank, query))
    stretch: list[Word] = []
    for word in words(masked):
        if stretch and "\n" in masked[stretch[-1].end : word.start]:
            yield stretch
            stretch = []
        stretch.append(word)
    yield stretch


def _blank(found: re.Match[str]) -> str:
    return "\n" * len(found.group())


def _longest_run(own: list[Word], text: str, needed: float) -> list[Word]:
    """The longest run of at least so many words that stands in a text; empty without one."""
    told = f" {' '.join(word.text for word in own)} "
    places = list(accumulate((len(word.text) + 1 for word in own), initial=0))
    weights = list(accumulate((word.weight for word in own), initial=0.0))
    longest: list[Word] = []
    end = 0
    for start in range(len(own)):
        while end < len(own) and weights[end] - weights[start] < needed:
            end += 1
        if weights[end] - weights[start] < needed:
            break
        while told[places[start] : places[end] + 1] in text:
            longest, needed = own[start:end], weights[end] - weights[start] + SMALLEST_WEIGHT
            if end == len(own):
                return longest
            end += 1
    return longest
