"""Nearest ids: found where there are any, named for what they differ in, and fast."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from ragguard.corpus import nearest as module
from ragguard.corpus.nearest import Near, edit_distance, nearest

IDS = [
    "audit-export",
    "audit-format",
    "Retention_Policy",
    "docs/intro.md#2",
    "café-menu",
    "c1",
    "c2",
]


def found(dangling: str, ids: list[str] | None = None) -> tuple[Near, ...]:
    """What is near to one id."""
    return nearest([dangling], ids or IDS)[dangling]


def test_slips_of_the_pen_are_found() -> None:
    """A letter missing, one too many, another, two swapped."""
    for slip, edits in [
        ("audit-exprt", 1),
        ("audit-exxport", 1),
        ("audit-exbort", 1),
        ("audit-exprot", 2),
    ]:
        assert found(slip)[0] == Near("audit-export", edits)


def test_what_is_of_one_kind_is_named() -> None:
    """The commonest causes have a word of their own."""
    assert found("AUDIT-EXPORT")[0] == Near("audit-export", 0, "case")
    assert found(" audit-export ")[0] == Near("audit-export", 0, "white space")
    assert found("cafe\u0301-menu")[0] == Near("café-menu", 0, "normalisation")
    assert found("retention-policy")[0].chunk_id == "Retention_Policy"
    assert found("intro.md#2")[0] == Near("docs/intro.md#2", 0, "the prefix 'docs/'")
    assert found("kb:audit-format")[0] == Near("audit-format", 0, "the prefix 'kb:'")


def test_what_is_far_is_not_suggested() -> None:
    """A wrong suggestion is worse than none."""
    assert found("invoice-lifecycle") == ()
    assert found("x9") == ()


def test_the_best_three_come_in_a_fixed_order() -> None:
    """By distance, then by id, whatever the order of the corpus."""
    ids = [f"chunk-{letter}" for letter in "fedcba"] + ["chunk-zz"]
    expected = (Near("chunk-a", 1), Near("chunk-b", 1), Near("chunk-c", 1))
    assert found("chunk-x", ids) == expected
    assert found("chunk-x", ids[::-1]) == expected


def test_an_id_listed_twice_is_suggested_once() -> None:
    """Twins in a manifest are another finding."""
    assert found("c3", ["c1", "c1", "c2"]) == (Near("c1", 1), Near("c2", 1))


def plain_distance(one: str, other: str) -> int:
    """Levenshtein's recurrence, the whole table."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, row = row, [i]
        for j, mate in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (letter != mate)))
    return row[-1]


SHORT = st.text(alphabet="abc-1é", max_size=10)


@given(SHORT, SHORT, st.integers(min_value=0, max_value=5))
def test_the_distance_is_levenshteins(one: str, other: str, limit: int) -> None:
    """Equal to the whole table up to the limit, None beyond it."""
    expected = plain_distance(one, other)
    assert edit_distance(one, other, limit) == (expected if expected <= limit else None)


@given(st.lists(SHORT, min_size=1, max_size=12), SHORT)
def test_shortcuts_lose_nothing(ids: list[str], dangling: str) -> None:
    """The nearest id within the limit is always found, and distances are never understated."""
    limit = min(4, max(1, len(dangling) // 3))
    near = found(dangling, ids)
    best = min(plain_distance(dangling, each) for each in ids)
    if best <= limit:
        assert near
        assert near[0].distance <= best
    for each in near:
        if each.difference is None:
            assert each.distance == plain_distance(dangling, each.chunk_id)


def test_many_dangling_ids_in_a_large_corpus_do_not_multiply() -> None:
    """Most pairs are told apart by their letters alone, without measuring a distance."""
    ids = [f"doc-{number * 7919 % 1_000_000:06d}-part-{number % 50}" for number in range(5_000)]
    dangling = [f"doc-{number * 104_729 % 1_000_000:06d}-prt-{number}" for number in range(10)]
    with patch.object(module, "edit_distance", wraps=edit_distance) as measure:
        assert all(len(near) <= 3 for near in nearest(dangling, ids).values())
    assert measure.call_count < len(ids) * len(dangling) / 5
