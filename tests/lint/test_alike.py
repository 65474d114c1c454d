"""Queries that are the same or nearly: exactly one code for each pair, and quiet on good data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.lint.suite.alike import Side, side_of
from ragguard.lint.suite.occurrence import near_key
from tests.lint.linting import VERSIONS, lint, suite_of, told, write


def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *rows: dict[str, Any]) -> list[str]:
    """What is told of rows; they get the ids q1, q2 … and the label c1 where they have none."""
    monkeypatch.chdir(tmp_path)
    numbered = [
        {"query_id": f"q{number}", "relevant_ids": ["c1"], **row}
        for number, row in enumerate(rows, 1)
    ]
    write(tmp_path, {"docs.jsonl": numbered, "docs.meta.json": VERSIONS})
    return told(lint(tmp_path, suite_of("docs.jsonl")))


HOURS: dict[str, Any] = {"query": "opening hours"}


def test_the_same_query_with_other_labels_is_an_error_at_the_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both places are named; the second stands at its query."""
    rows = [HOURS, {**HOURS, "relevant_ids": ["c2"]}]
    column = 1 + len('{"query_id": "q2", "relevant_ids": ["c2"], "query": ')
    assert found(tmp_path, monkeypatch, *rows) == [
        f"2:{column} RG202 the query 'opening hours' stands twice with other labels; "
        "first at docs.jsonl:1"
    ]


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ({}, {}, "RG203"),
        ({"relevant_ids": ["a", "b"]}, {"relevant_ids": ["b", "a"]}, "RG203"),
        ({"relevant_ids": ["a"]}, {"relevant_ids": [], "evidence": [["a"]]}, "RG203"),
        ({"answerable": True}, {"judgments": {}}, "RG203"),
        ({"context": None}, {"context": {}}, "RG203"),
        ({"context": {"a": 1, "b": 2}}, {"context": {"b": 2, "a": 1}}, "RG203"),
        ({"relevant_ids": ["a"]}, {"relevant_ids": ["a", "b"]}, "RG202"),
        ({"relevant_ids": [], "judgments": {"a": 1}}, {"relevant_ids": ["a"]}, "RG202"),
        ({}, {"relevant_ids": [], "answerable": False}, "RG202"),
        ({}, {"query": "Opening  hours?"}, "RG204"),
        ({}, {"query": "opening hours.", "relevant_ids": ["b"]}, "RG204"),
        ({"split": "dev"}, {"split": "holdout"}, "RG205"),
        ({"split": "test"}, {"split": "train", "relevant_ids": ["b"]}, "RG205"),
        ({"split": "val"}, {"split": "TEST-2026", "query": "Opening hours"}, "RG205"),
        ({"split": "dev"}, {"split": "train"}, "RG203"),
        ({"split": "a"}, {"split": "test"}, "RG203"),
    ],
)
def test_a_pair_has_exactly_one_code(
    first: dict[str, Any],
    second: dict[str, Any],
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By text, context, labels and split, in whatever way these are written."""
    told = found(tmp_path, monkeypatch, {**HOURS, **first}, {**HOURS, **second})
    codes = [line.split()[1] for line in told if " RG10" not in line]
    assert codes == [code]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"context": {"tenant": "a"}}, {"context": {"tenant": "b"}}),
        ({"context": {"tenant": "a"}, "split": "dev"}, {"split": "test"}),
        ({}, {"query": "closing hours"}),
        ({}, {"query": "opening hours 2"}),
    ],
)
def test_what_asks_something_else_is_no_pair(
    first: dict[str, Any],
    second: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another context, word or digit."""
    assert found(tmp_path, monkeypatch, {**HOURS, **first}, {**HOURS, **second}) == []


def test_each_further_row_is_told_once_with_the_first_it_is_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a finding for every pair; one that is written alike comes before one that is nearly."""
    rows = [{"query": "Opening hours"}, HOURS, HOURS, {**HOURS, "relevant_ids": ["c2"]}]
    assert [line.split(" ", 1)[1] for line in found(tmp_path, monkeypatch, *rows)] == [
        "RG204 the query 'opening hours' is nearly that at docs.jsonl:1: "
        "case, white space or punctuation is all that differs",
        "RG203 the query 'opening hours' stands twice; first at docs.jsonl:2",
        "RG202 the query 'opening hours' stands twice with other labels; first at docs.jsonl:2",
    ]


def test_a_held_out_query_that_was_tuned_on_is_an_error_and_nearly_so_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With both splits and places; a second one of the same split is told too."""
    rows = [
        {**HOURS, "split": "dev"},
        {**HOURS, "split": "holdout"},
        {"query": "Opening hours", "split": "holdout"},
    ]
    lines = found(tmp_path, monkeypatch, *rows)
    assert [line.split(" ", 1)[1] for line in lines] == [
        "RG205 the query 'opening hours' is of split 'holdout' and stands in 'dev', "
        "at docs.jsonl:1",
        "RG204 the query 'Opening hours' is nearly that at docs.jsonl:2: "
        "case, white space or punctuation is all that differs",
        "RG205 the query 'Opening hours' is of split 'holdout' and nearly stands in 'dev', "
        "at docs.jsonl:1",
    ]
    result = lint(tmp_path, suite_of("docs.jsonl"))
    assert [each.severity for each in result.diagnostics] == ["error", "warning", "warning"]
    assert [each.query_id for each in result.diagnostics] == ["q2", "q3", "q3"]


def test_pairs_are_found_across_files_and_a_private_text_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of the suite's files, whatever their names; one private row is enough."""
    monkeypatch.chdir(tmp_path)
    secret = {"query": "salary of J. Doe", "relevant_ids": ["c1"]}
    write(
        tmp_path,
        {
            "b.jsonl": [{"query_id": "q1", **secret}],
            "a.jsonl": [{"query_id": "q2", **secret, "private": True}],
            "a.meta.json": VERSIONS,
            "b.meta.json": VERSIONS,
        },
    )
    (one,) = lint(tmp_path, suite_of("b.jsonl", "a.jsonl")).diagnostics
    assert str(one.location) == "a.jsonl:1:29"
    assert one.message == "a private query stands twice; first at b.jsonl:1"
    assert "salary" not in f"{one.message}{one.hint}"


def test_one_id_twice_is_told_as_that_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that was copied with its id has one fault, not two."""
    (line,) = found(tmp_path, monkeypatch, HOURS, {**HOURS, "query_id": "q1"})
    assert " RG201 " in line


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Opening hours?", "opening   HOURS"),
        ("What's e-mail?", "what\u2019s email"),
        ("Wie heißt das?", "WIE HEISST DAS"),
        ("ﬁne \uff21\uff22", "Fine AB!"),
        ("10-20 days", "10 - 20 days"),
        ("cafe\u0301", "CAFÉ"),
        ("…and then?", "and then"),
        ("\u00bfQué es?", "Qué es"),
        ("営業時間は?", "営業時間は\uff1f"),
    ],
)
def test_near_queries_have_one_key(one: str, other: str) -> None:
    """Case, white space, punctuation and compatibility forms make no difference."""
    assert near_key(one) == near_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("version 1.5", "version 15"),
        ("version 1.5", "version 1-5"),
        ("10 20", "1020"),
        ("what is C", "what is C++"),
        ("what is C#", "what is C++"),
        ("R&D budget", "RD budget"),
        ("5% of it", "5 of it"),
        ("at -5 degrees", "at 5 degrees"),
        ("what is .NET", "what is net"),
        ("a < b", "a > b"),
        ("price in €", "price in $"),
        ("कि", "का"),
        ("q1", "q2"),
        ("the X200", "the X300"),
        ("thumbs \U0001f44d", "thumbs \U0001f44e"),
    ],
)
def test_queries_that_differ_in_what_they_say_have_two(one: str, other: str) -> None:
    """A digit, a symbol, a vowel sign, the name of a product."""
    assert near_key(one) != near_key(other)


@given(st.text("aB1 .-_#'(\\n", max_size=8))
def test_plain_text_takes_a_short_way_to_the_same_key(text: str) -> None:
    """An accent at the end makes it take the long one."""
    if any(character.isalnum() for character in text):
        assert near_key(f"{text} z") + "é" == near_key(f"{text} zé")


@pytest.mark.parametrize(
    ("split", "side"),
    [
        ("dev", Side.SEEN),
        ("Train", Side.SEEN),
        ("validation_2", Side.SEEN),
        ("holdout", Side.HELD_OUT),
        ("hold-out", Side.HELD_OUT),
        ("held out 2026", Side.HELD_OUT),
        ("test1", Side.HELD_OUT),
        ("testimonials", Side.UNKNOWN),
        ("train-test", Side.UNKNOWN),
        ("regression", Side.UNKNOWN),
        ("", Side.UNKNOWN),
        (None, Side.UNKNOWN),
    ],
)
def test_a_split_is_told_by_its_name(split: str | None, side: Side) -> None:
    """By whole words of it; a name that says both, or neither, says nothing."""
    assert side_of(split) is side
