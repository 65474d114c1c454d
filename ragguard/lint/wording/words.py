"""The words of a text with their places, in any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Scripts that put no space between words: each letter stands for itself.
_SYLLABIC_RANGE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SPACELESS_RANGE = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_ALONE = _SYLLABIC_RANGE + _SPACELESS_RANGE
_WORD = re.compile(rf"(?=\w)[{_ALONE}]|[^\W_{_ALONE}]+")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_PLAIN_APOSTROPHE = re.compile(r"(?<=[a-z0-9])'(?=[a-z0-9])")
_SYLLABIC = re.compile(f"[{_SYLLABIC_RANGE}]")
_SPACELESS = re.compile(f"[{_SPACELESS_RANGE}]")
_JOINERS = "\u200c\u200d"
WHOLE, HALF, SMALLEST_WEIGHT = 1.0, 0.5, 0.25


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        text: as it is compared: without case, accents and apostrophes.
        start, end: half-open range of its characters in the text.
    """

    text: str
    start: int
    end: int

    @property
    def weight(self) -> float:
        """How many words it counts for.

        Chinese and Japanese put about two letters into a word, Thai, Lao, Khmer and Burmese about
        four, vowel signs not counted; a letter of theirs is a word of its own here.
        """
        if self.text.isascii():
            return WHOLE
        if _SYLLABIC.match(self.text):
            return HALF
        return SMALLEST_WEIGHT if _SPACELESS.match(self.text) else WHOLE


def words(text: str) -> list[Word]:
    """The words of a text in their order."""
    folded = text.lower()
    if folded.isascii():
        pieces = [Word(found.group(), *found.span()) for found in _PLAIN_WORD.finditer(folded)]
    else:
        pieces = list(_with_marks(text))
    return list(_with_apostrophes(pieces, text))


def joined(text: str) -> str:
    """The words of a text as they are compared, a space before, between and after them."""
    folded = text.lower()
    if folded.isascii():  # several times as fast
        return f" {' '.join(_PLAIN_WORD.findall(_PLAIN_APOSTROPHE.sub('', folded)))} "
    return f" {' '.join(word.text for word in words(text))} "


def count_at_most(text: str) -> int:
    """How many words a text has, or a few more: a quick look."""
    folded = text.lower()
    return len((_PLAIN_WORD if folded.isascii() else _WORD).findall(folded))


def total(counted: Iterable[Word]) -> float:
    """How many words these count for."""
    return sum(word.weight for word in counted)


def _with_marks(text: str) -> Iterator[Word]:
    """Words in which marks are no word ends: `re` takes accents and vowel signs for punctuation."""
    start = end = 0
    for found in _WORD.finditer(text):
        begins, ends = found.start(), _after_marks(text, found.end())
        if end == begins > 0 and not _stands_alone(text[begins]) and not _stands_alone(text[start]):
            end = ends
            continue
        if end:
            yield Word(_bare(text[start:end]), start, end)
        start, end = begins, ends
    if end:
        yield Word(_bare(text[start:end]), start, end)


def _after_marks(text: str, position: int) -> int:
    while position < len(text) and (
        unicodedata.category(text[position])[0] == "M" or text[position] in _JOINERS
    ):
        position += 1
    return position


def _stands_alone(letter: str) -> bool:
    return bool(_SYLLABIC.match(letter) or _SPACELESS.match(letter))


def _bare(text: str) -> str:
    folded = text.casefold()
    if folded.isascii():
        return folded
    decomposed = unicodedata.normalize("NFKD", folded)
    return "".join(each for each in decomposed if not unicodedata.combining(each)) or folded


def _with_apostrophes(pieces: Iterable[Word], text: str) -> Iterator[Word]:
    """Words in which an apostrophe is no word end: `company's` is one."""
    before: Word | None = None
    for word in pieces:
        if before is None:
            before = word
        elif text[before.end : word.start] in {"'", "\u2019"}:
            before = Word(before.text + word.text, before.start, word.end)
        else:
            yield before
            before = word
    if before is not None:
        yield before
