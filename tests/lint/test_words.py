"""Words of texts in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.lint.wording.words import count_at_most, joined, total, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The company's 24/7 line, X_y!", ["the", "companys", "24", "7", "line", "x", "y"]),
        ("Làm thế nào đây?", ["lam", "the", "nao", "đay"]),
        ("La\u0300m the\u0302\u0301 nao", ["lam", "the", "nao"]),
        ("Äpfel über Straße", ["apfel", "uber", "strasse"]),
        ("فِي أَيّ عام؟", ["في", "اي", "عام"]),
        ("किताब की दुकान", ["किताब", "की", "दुकान"]),
        ("如何重置", ["如", "何", "重", "置"]),
        ("データ API", ["テ", "ー", "タ", "api"]),
        ("\ud800x", ["x"]),
        ("", []),
    ],
)
def test_case_accents_and_punctuation_do_not_count(text: str, expected: list[str]) -> None:
    """Vietnamese, German, Arabic, Hindi, Chinese, Japanese; composed and decomposed."""
    assert [word.text for word in words(text)] == expected


def test_words_have_their_places() -> None:
    """Half-open ranges of the text as it is written, marks included."""
    text = "É, a\u0301b 日本"
    assert [text[word.start : word.end] for word in words(text)] == ["É", "a\u0301b", "日", "本"]


@pytest.mark.parametrize(
    ("text", "expected"), [("one two", 2.0), ("如何重置密码", 3.0), ("รหัสผ่าน", 1.5), ("日 a", 1.5)]
)
def test_a_letter_of_a_script_without_spaces_is_a_part_of_a_word(
    text: str, expected: float
) -> None:
    """Half a word in Chinese and Japanese, a quarter in Thai."""
    assert total(words(text)) == expected


def test_a_text_is_compared_by_its_words_between_spaces() -> None:
    """So that a word is never found inside another."""
    assert joined("To be, or not!") == " to be or not "


@given(st.text())
def test_any_text_has_words_in_order_inside_it(text: str) -> None:
    """None is empty, none overlaps the one before."""
    end = 0
    for word in words(text):
        assert end <= word.start < word.end <= len(text)
        assert word.text
        end = word.end


@given(st.one_of(st.text(), st.text("aB0'\u2019_- .")))
def test_the_quick_ways_agree_with_the_slow_one(text: str) -> None:
    """Texts are joined, and their words counted, without looking for places."""
    found = words(text)
    assert joined(text) == f" {' '.join(word.text for word in found)} "
    assert count_at_most(text) >= len(found) or not text.isascii()
    assert count_at_most(text) >= total(found)
