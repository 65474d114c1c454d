"""Edit distances of one text to thousands of ids at once, one bit an id.

Wu and Manber's automaton (1992) turned on its side: where theirs keeps the positions of one text in
the bits of a word, here the bits are ids of one length, and each position of the text has a word of
its own. What a step costs does not depend on how alike the ids are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache


class Alphabet:
    """The characters of the texts that are looked for, numbered from 1; all others are 0."""

    def __init__(self, texts: Iterable[str]) -> None:
        letters = sorted(set().union(*texts))
        self._codes = {letter: code for code, letter in enumerate(letters, 1)}
        self.bits = len(letters).bit_length()

    def codes(self, text: str) -> list[int]:
        """The numbers of the characters of a text that is looked for."""
        return [self._codes[letter] for letter in text]

    def encode(self, text: str) -> tuple[bytes, int]:
        """The numbers of any text as bytes, and how many bytes a number takes."""
        if text.isascii() and self.bits <= 8:
            return text.encode().translate(self._ascii), 1
        return text.translate(self._all).encode("utf-32-le", "surrogatepass"), 4

    @cached_property
    def _ascii(self) -> bytes:
        return bytes(self._codes.get(chr(byte), 0) for byte in range(256))

    @cached_property
    def _all(self) -> Mapping[int, int]:
        return _OtherwiseZero({ord(letter): code for letter, code in self._codes.items()})


class _OtherwiseZero(dict[int, int]):
    """A mapping that learns that what it does not hold is 0."""

    def __missing__(self, key: int) -> int:
        self[key] = 0
        return 0


@lru_cache(8)
def _digits(bit: int) -> bytes:
    """For each byte the digit of one of its bits, to read many as one number."""
    return bytes(ord("1") if byte >> bit & 1 else ord("0") for byte in range(256))


class SameLength:
    """Ids of one length, seen position by position.

    Attributes:
        ids: the ids; their first has the highest bit.
        length: in characters; of each.
        everyone: the bits of all ids.
    """

    def __init__(self, ids: Sequence[str], alphabet: Alphabet) -> None:
        self.ids = ids
        self.length = len(ids[0])
        self.everyone = (1 << len(ids)) - 1
        self._bits = alphabet.bits
        self._data, self._width = alphabet.encode("".join(ids))
        self._planes: dict[int, list[tuple[int, int]]] = {}
        self._with: list[dict[int, int]] = [{} for _ in range(self.length)]

    def known(self, position: int) -> Mapping[int, int]:
        """What was already found of `having` at a position, by number of the character."""
        return self._with[position]

    def having(self, position: int, code: int) -> int:
        """The ids that have the character of this number at a position."""
        if position not in self._planes:
            self._planes[position] = list(self._read(position))
        found = self.everyone
        for bit, planes in enumerate(self._planes[position]):
            found &= planes[code >> bit & 1]
        self._with[position][code] = found
        return found

    def _read(self, position: int) -> Iterator[tuple[int, int]]:
        """For each bit of a character's number: the ids where it is 0, and those where it is 1."""
        for first in range(0, self._bits, 8):
            column = self._data[position * self._width + first // 8 :: self.length * self._width]
            is_constant = column.count(column[:1]) == len(column)
            for bit in range(min(8, self._bits - first)):
                if is_constant:
                    ones = self.everyone * (column[0] >> bit & 1)
                else:
                    ones = int(column.translate(_digits(bit)), 2)
                yield self.everyone ^ ones, ones

    def named(self, bits: int) -> list[str]:
        """The ids of some bits, in their order."""
        digits = f"{bits:0{len(self.ids)}b}"
        found, at = [], digits.find("1")
        while at >= 0:
            found.append(self.ids[at])
            at = digits.find("1", at + 1)
        return found


def closest(ids: SameLength, text: Sequence[int], limit: int) -> tuple[int, int] | None:
    """The smallest edit distance (Levenshtein 1966) of any id to a text, and the ids that have it.

    Args:
        ids: the ids.
        text: the numbers of the characters of the text.
        limit: the largest distance that counts.

    Returns:
        The distance and the bits of the ids; None when all are further away than the limit.
    """
    longer = len(text) - ids.length
    if abs(longer) > limit:
        return None
    # state[edits][i]: the ids that so many edits take, as far as read, to the first i characters.
    state = [[ids.everyone * (i == edits) for i in range(len(text) + 1)] for edits in _upto(limit)]
    for read in range(1, ids.length + 1):
        state = _step(ids, text, state, read, longer)
        if not any(map(any, state)):
            return None
    return next(((edits, row[-1]) for edits, row in enumerate(state) if row[-1]), None)


def _upto(limit: int) -> range:
    return range(limit + 1)


def _step(
    ids: SameLength, text: Sequence[int], state: list[list[int]], read: int, longer: int
) -> list[list[int]]:
    """The state after one more character of every id; what cannot end within the limit is left."""
    limit, position = len(state) - 1, read - 1
    known = ids.known(position)
    after: list[list[int]] = []
    for edits, same in enumerate(state):
        row = [0] * len(same)
        after.append(row)
        first = read + max(-edits, longer - limit + edits)
        last = read + min(edits, longer + limit - edits)
        fewer, fewer_after = (state[edits - 1], after[edits - 1]) if edits else (row, row)
        for i in range(max(first, 0), min(last, len(text)) + 1):
            bits = fewer[i]
            if i:
                bits |= fewer[i - 1] | fewer_after[i - 1]
                if same[i - 1]:
                    letter = text[i - 1]
                    having = known[letter] if letter in known else ids.having(position, letter)
                    bits |= same[i - 1] & having
            row[i] = bits
    return after
