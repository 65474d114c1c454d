"""A piece of a line as a terminal shows it, and where the carets stand."""

from __future__ import annotations

import unicodedata

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from ragguard.lint.excerpts import REACH, Excerpt
from ragguard.render.excerpt import ELLIPSIS, WIDTH, drawn

NEEDLE = '"needle"'


def around(before: str, value: str, after: str = "") -> tuple[Excerpt, int]:
    """The excerpt of a value between two texts, as it is cut from a line, and its column."""
    line = before + value + after
    start, end = max(0, len(before) - REACH), min(len(line), len(before) + REACH)
    excerpt = Excerpt(line[start:end], start + 1, len(value), end < len(line), "")
    return excerpt, len(before) + 1


def shown(before: str, value: str, after: str = "") -> list[str]:
    """The excerpt and the carets below it."""
    piece = drawn(*around(before, value, after))
    return [piece.line, " " * piece.lead + "^" * piece.marked]


def test_a_short_line_is_shown_whole() -> None:
    """The carets are as wide as the value."""
    assert shown('{"query_id": ', "17", "}") == [
        '{"query_id": 17}',
        "             ^^",
    ]


def test_a_long_line_is_cut_on_both_sides_of_the_place() -> None:
    """32 cells before it, 88 in all, an ellipsis where something is left out."""
    line, carets = shown("a" * 500, NEEDLE, "b" * 500)
    assert line == "…" + "a" * 32 + NEEDLE + "b" * (WIDTH - 32 - len(NEEDLE)) + "…"
    assert carets == " " * 33 + "^" * len(NEEDLE)


def test_a_value_wider_than_the_excerpt_is_marked_as_far_as_it_is_shown() -> None:
    """From its beginning."""
    line, carets = shown("k: ", "v" * 1000)
    assert line == "k: " + "v" * (WIDTH - 3) + "…"
    assert carets == "   " + "^" * (WIDTH - 3)


def test_the_end_of_a_line_can_be_pointed_at() -> None:
    """Where something is missing."""
    excerpt = Excerpt('{"a": 1', 1, 1, is_cut=False, digest="")
    piece = drawn(excerpt, 8)
    assert (piece.line, piece.lead, piece.marked) == ('{"a": 1', 7, 1)


@pytest.mark.parametrize(
    ("before", "expected", "cells"),
    [
        ("\t", "␉", 1),
        ("\x1b[2J", "␛[2J", 4),
        ("\x7f", "␡", 1),
        ("日本", "日本", 4),
        ("e\u0301", "e\u0301", 1),
        ("\u202e", "<U+202E>", 8),
        ("\u200b", "<U+200B>", 8),
        ("\u00a0", "<U+00A0>", 8),
        ("\u2028", "<U+2028>", 8),
        ("\U000e0041", "<U+E0041>", 9),
        ("👩\u200d💻", "👩<U+200D>💻", 12),
        ("❤\ufe0f", "❤<U+FE0F>", 9),
        ("\u1112\u1161\u11ab", "\u1112\u1161\u11ab", 2),
        ("ｱ", "ｱ", 1),
        ("\uff21", "\uff21", 2),
    ],
)
def test_every_character_takes_the_cells_it_is_counted_for(
    before: str, expected: str, cells: int
) -> None:
    """What cannot be seen or moves the cursor is written out."""
    line, carets = shown(before, NEEDLE)
    assert line == expected + NEEDLE
    assert carets == " " * cells + "^" * len(NEEDLE)


DISPUTED = (
    *(range(0x2630, 0x2638), range(0x268A, 0x2690), range(0x4DC0, 0x4E00)),
    *(range(0x1D300, 0x1D380), range(0x1F1E6, 0x1F200)),
)
"""Signs that became wide with Unicode 16, and halves of flags."""

HOSTILE = st.one_of(
    st.characters(exclude_categories=["Cs", "Mc"]),
    st.sampled_from("\t\x1b\x00\r\u200d\u202e\u0301日👩\ufe0f🏽\uff21ｱ\u1161\ufeff"),
).filter(
    lambda character: (
        character not in NEEDLE and not any(ord(character) in each for each in DISPUTED)
    )
)


@given(st.text(HOSTILE, max_size=200), st.text(HOSTILE, max_size=200))
def test_the_carets_stand_below_the_value_whatever_is_around_it(before: str, after: str) -> None:
    """Cells as the package wcwidth counts them, character by character."""
    excerpt, column = around(before, NEEDLE, after)
    piece = drawn(excerpt, column)
    prefix = piece.line[: piece.line.index(NEEDLE)]
    assert sum(map(wcwidth.wcwidth, prefix)) == piece.lead
    assert piece.marked == len(NEEDLE)
    assert sum(map(wcwidth.wcwidth, piece.line)) <= WIDTH + 2 * len(ELLIPSIS)
    assert not {unicodedata.category(each) for each in piece.line} & {"Cc", "Cf", "Zl", "Zp"}
    assert len(piece.line.splitlines()) == 1
