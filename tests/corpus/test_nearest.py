"""Nearest ids: found where there are any, named for what they differ in, and fast."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragguard.corpus import nearest as module
from ragguard.corpus.difference import fold, heads, tails
from ragguard.corpus.edits import Alphabet, SameLength, closest
from ragguard.corpus.nearest import Near, limit_for, nearest

IDS = [
    "audit-export",
    "audit-format",
    "Retention_Policy",
    "docs/intro.md#2",
    "café-menu",
    "c1",
    "c2",
    "d5",
]


def found(dangling: str, ids: list[str] | None = None) -> tuple[Near, ...]:
    """What is near to one id."""
    return nearest([dangling], [ids or IDS])[dangling]


def test_slips_of_the_pen_are_found() -> None:
    """A letter missing, one too many, another, two swapped."""
    for slip, edits in [
        ("audit-exprt", 1),
        ("audit-exxport", 1),
        ("audit-exbort", 1),
        ("audit-exprot", 2),
        ("audit-frmaat", 2),
    ]:
        near = "audit-format" if slip == "audit-frmaat" else "audit-export"
        assert found(slip) == (Near(near, edits),)


def test_what_is_of_one_kind_is_named() -> None:
    """The commonest causes have a word of their own."""
    assert found("AUDIT-EXPORT") == (Near("audit-export", 0, "case"),)
    assert found(" audit-export ") == (Near("audit-export", 0, "white space"),)
    assert found("cafe\u0301-menu") == (Near("café-menu", 0, "normalisation"),)
    assert found("retention-policy")[0].chunk_id == "Retention_Policy"
    assert found("intro.md#2") == (Near("docs/intro.md#2", 0, "the prefix 'docs/'"),)
    assert found("kb:audit-format") == (Near("audit-format", 0, "the prefix 'kb:'"),)
    assert found("d5_TYPO") == (Near("d5", 0, "the suffix '_TYPO'", is_part=True),)
    assert found("longer", ["longer#part-2"]) == (
        Near("longer#part-2", 0, "the suffix '#part-2'", is_part=True),
    )


def test_an_edit_is_likelier_than_a_suffix() -> None:
    """Of a document and its chunks another chunk is meant."""
    assert found("doc-17", ["doc", "doc-11", "doc-2"]) == (Near("doc-11", 1),)


def test_what_is_far_is_not_suggested() -> None:
    """A wrong suggestion is worse than none."""
    assert found("invoice-lifecycle") == ()
    assert found("x9") == ()
    assert found("") == ()


def test_the_best_three_come_in_a_fixed_order() -> None:
    """By id, whatever the order of the corpus; what is further away is left out."""
    ids = [f"chunk-{letter}" for letter in "fedcba"] + ["chunk-zz"]
    expected = (Near("chunk-a", 1), Near("chunk-b", 1), Near("chunk-c", 1))
    assert found("chunk-x", ids) == expected
    assert found("chunk-x", ids[::-1]) == expected
    with patch.object(module, "_BATCH", 2):
        assert nearest(["chunk-x"], [[each] for each in ids])["chunk-x"] == expected


@pytest.mark.parametrize(
    ("label", "chunk_id", "lost"),
    [
        ("912", "0912", "its leading zero"),
        ("912", "000912", "its leading zeros"),
        ("407213397", "0407213397", "its leading zero"),
        ("inf", "36e54439", "its exponent"),
        ("Infinity", "36e54439", "its exponent"),
        ("100000", "1e5", "its exponent"),
        ("100000.0", "1e5", "its exponent"),
        ("100000.0", "1E05", "its exponent"),
        ("0", "0e12", "its exponent"),
        ("12.0", "12", "its form"),
        ("9.1", "09.10", "its leading zero"),
        ("9.1", "9.10", "its last zero"),
        ("4.07E+08", "407213397", "its last digits"),
        ("4.07e+08", "0407213397", "its last digits"),
        ("4.08E+08", "407713397", "its last digits"),
        ("1E+05", "100000", "its last digits"),
    ],
)
def test_an_id_that_was_taken_for_a_number_is_recognised(
    label: str, chunk_id: str, lost: str
) -> None:
    """Whatever else is as near."""
    ids = [f"{chunk_id}x", "unrelated", chunk_id, f"9{label}"]
    assert found(label, ids) == (Near(chunk_id, 0, lost, is_number=True),)


@pytest.mark.parametrize(
    ("label", "chunk_id", "difference"),
    [
        ("0046", "46", "leading zeros"),
        ("1e5", "100000", "number inference"),
        ("1e5", "100000.0", "number inference"),
        ("36e54439", "inf", "number inference"),
    ],
)
def test_a_corpus_whose_ids_were_taken_for_numbers_is_recognised(
    label: str, chunk_id: str, difference: str
) -> None:
    """The label is what the id was before."""
    assert found(label, ["unrelated", chunk_id]) == (Near(chunk_id, 0, difference),)


@pytest.mark.parametrize(
    ("label", "chunk_id"),
    [("4.07E+08", "417213397"), ("4.07E+08", "40721339"), ("inf", "36e2"), ("912", "9120")],
)
def test_an_id_that_is_another_number_is_not_taken_for_one(label: str, chunk_id: str) -> None:
    """Near by edits at most."""
    assert not any(near.is_number for near in found(label, [chunk_id]))


def plain_distance(one: str, other: str) -> int:
    """Levenshtein's table, cell by cell."""
    previous = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        current = [row]
        for column, another in enumerate(other, 1):
            current.append(
                min(
                    previous[column - 1] + (letter != another),
                    previous[column] + 1,
                    current[-1] + 1,
                )
            )
        previous = current
    return previous[-1]


LETTERS = "abABé-/_é\u0301 \U0001f600"
SHORT = st.text(LETTERS, max_size=14)
SOME_IDS = st.lists(st.text(LETTERS, min_size=1, max_size=14), min_size=1, max_size=14)


@given(SOME_IDS, SHORT, st.integers(1, 4))
@example(["a\0b", "\0\0b"], "\0b", 2)
def test_the_distance_is_levenshteins(ids: list[str], text: str, limit: int) -> None:
    """For ids of each length the smallest up to the limit, and all that have it; else none."""
    alphabet = Alphabet([text])
    for length in {len(each) for each in ids}:
        alike = [each for each in ids if len(each) == length]
        distances = [plain_distance(text, each) for each in alike]
        best = min(distances)
        answer = closest(both := SameLength(alike, alphabet), alphabet.codes(text), limit)
        if best > limit:
            assert answer is None
        else:
            assert answer is not None
            assert answer[0] == best
            expected = [each for each, far in zip(alike, distances, strict=True) if far == best]
            assert both.named(answer[1]) == expected


def brute_force(dangling: str, ids: list[str]) -> tuple[list[str], int | None]:
    """The nearest by looking at each id on its own: first of one kind, then by edits."""
    others = sorted(set(ids) - {dangling})
    kinds = [
        lambda each: fold(each) == fold(dangling),
        lambda each: each in tails(dangling) or dangling in tails(each),
    ]
    for kind in kinds:
        if of_kind := [each for each in others if kind(each)]:
            return of_kind[:3], 0
    best = min((plain_distance(dangling, each) for each in others), default=99)
    if best <= limit_for(dangling):
        return [each for each in others if plain_distance(dangling, each) == best][:3], best
    suffixed = [each for each in others if each in heads(dangling) or dangling in heads(each)]
    return suffixed[:3], 0 if suffixed else None


@given(SOME_IDS, st.lists(SHORT, min_size=1, max_size=3, unique=True), st.integers(1, 6))
@example(["docs/abab", "abab-a"], ["abab"], 1)
@example(["-ab"], ["ab"], 1)
def test_shortcuts_lose_nothing(ids: list[str], dangling: list[str], batch: int) -> None:
    """The same as comparing each id of the corpus with each that dangles, and is none of them."""
    ids = [each for each in ids if each not in dangling]
    with patch.object(module, "_BATCH", batch):
        answers = nearest(dangling, [[each] for each in ids])
    for each in dangling:
        expected, distance = brute_force(each, ids)
        assert [near.chunk_id for near in answers[each]] == expected, each
        assert all(near.distance == distance for near in answers[each])


def test_a_null_character_inside_an_id_hides_no_other_id() -> None:
    """Such ids are found by edits; their neighbours by everything."""
    for ids in (["x\0audit-export", "Audit-Format"], ["Audit-Format", "\0", "audit\0-format"]):
        assert found("audit-format", ids) == (Near("Audit-Format", 0, "case"),)
    assert found("audit-format", ["audit\0-format"]) == (Near("audit\0-format", 1),)
    assert found("a\0udit-format", ["audit-format"]) == (Near("audit-format", 1),)


def test_many_characters_have_room() -> None:
    """More than a byte can number, in the ids and in the labels."""
    ids = ["".join(chr(0x4E00 + 7 * n + k) for k in range(6)) for n in range(100)]
    dangling = [each[:2] + "x" + each[3:] for each in ids]
    answers = nearest(dangling, [[*ids, "ascii!"]])
    assert [answers[each] for each in dangling] == [(Near(each, 1),) for each in ids]
