"""Rows and what a mapping makes of them, worked out by hand; everything else stays as written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.dataset.lines import SourceLine
from ragguard.dataset.loading import read_row
from ragguard.dataset.mapping import FieldMapping
from ragguard.errors import InputError
from ragguard.location import Location
from ragguard.migration.groups import moved_group
from ragguard.migration.label_map import Move
from ragguard.migration.moving import RowMove, moved_row


def moves_of(mapping: Mapping[str, Sequence[str]]) -> dict[str, Move]:
    """A mapping as it is read."""
    return {old: Move(old, tuple(new), Location("map.csv", 2)) for old, new in mapping.items()}


def move(
    text: str,
    mapping: Mapping[str, Sequence[str]],
    fields: Mapping[str, str] | None = None,
    *,
    drop_gone: bool = False,
) -> tuple[str, RowMove]:
    """A row as a mapping leaves it."""
    content = text.encode("utf-8", "surrogatepass")
    read = read_row(SourceLine(1, 0, content), "d.jsonl", FieldMapping(fields or {}))
    assert read.row is not None
    done = moved_row(read.row, moves_of(mapping), drop_gone=drop_gone)
    for edit in reversed(done.edits):
        content = content[: edit.start] + edit.replacement + content[edit.end :]
    return content.decode("utf-8", "surrogatepass"), done


@pytest.mark.parametrize(
    ("before", "mapping", "after"),
    [
        ('["a" , "b"]', {"a": ["x"]}, '["x" , "b"]'),
        ('["a" ,"b"]', {"a": ["x", "y"]}, '["x" ,"y" ,"b"]'),
        ('[ "b", "a" ]', {"a": ["x", "y"]}, '[ "b", "x", "y" ]'),
        ('["a"]', {"a": ["x", "y"]}, '["x", "y"]'),
        ('["a","b"]', {"a": ["x"], "b": ["x"]}, '["x"]'),
        ('["a","x"]', {"a": ["x"]}, '["x"]'),
        ('["a","b"]', {"a": ["b"], "b": ["c"]}, '["b","c"]'),
        ('["a","b"]', {"a": ["b"], "b": ["a"]}, '["b","a"]'),
        ('["a"]', {"a": ["a", "b"]}, '["a", "b"]'),
        ('["a","b"]', {"a": []}, '["a","b"]'),
        ('["a","d","d"]', {"a": ["x"]}, '["x","d","d"]'),
        ('["d1"]', {"d": ["x"], "d10": ["y"]}, '["d1"]'),
    ],
)
@pytest.mark.parametrize("name", ["relevant_ids", "forbidden_ids"])
def test_lists_get_each_new_id_once(
    name: str, before: str, mapping: dict[str, list[str]], after: str
) -> None:
    """Pieces stand where the old id stood, spaces are those of the list, no move is followed."""
    row = '{ "query_id" : "q1", "%s" : %s , "n" : 1.50e+0, "u": "\\u00e9 a"}'
    assert move(row % (name, before), mapping)[0] == row % (name, after)


@pytest.mark.parametrize(
    ("before", "mapping", "after", "joined"),
    [
        ('{"a" : 2, "b": 0}', {"a": ["x", "y"]}, '{"x" : 2, "y" : 2, "b": 0}', 0),
        ('{"a":1,"b":3}', {"a": ["x"], "b": ["x"]}, '{"x":3}', 1),
        ('{"a":3,"x":1}', {"a": ["x"]}, '{"x":3}', 1),
        ('{"a":1,"x":3}', {"a": ["x"]}, '{"x":3}', 1),
        ('{"a":2,"x":2}', {"a": ["x"]}, '{"x":2}', 0),
        ('{"a":1,"b":2}', {"a": ["b"], "b": ["a"]}, '{"b":1,"a":2}', 0),
    ],
)
def test_judgments_carry_their_grades(
    before: str, mapping: dict[str, list[str]], after: str, joined: int
) -> None:
    """Every piece has the grade of the whole; of two that meet the higher one stays."""
    text, done = move(f'{{"judgments": {before}}}', mapping)
    assert (text, done.joined) == (f'{{"judgments": {after}}}', joined)


@pytest.mark.parametrize(
    ("before", "mapping", "after"),
    [
        ('[["a", "b"], ["c"]]', {"a": ["x"]}, '[["x", "b"], ["c"]]'),
        ('[["a"],["c"]]', {"a": ["x", "y"]}, '[["x"],["y"],["c"]]'),
        ('[["a","b"]]', {"a": ["x", "y"]}, '[["x","b"], ["y","b"]]'),
        ('[["a"],["b"]]', {"a": ["x"], "b": ["x"]}, '[["x"]]'),
        ('[["a"],["x"]]', {"a": ["x"]}, '[["x"]]'),
        ('[["a","b"]]', {"a": ["x"], "b": ["x"]}, '[["x"]]'),
        ('[["a","x"]]', {"a": ["x", "y"]}, '[["x"]]'),
    ],
)
def test_a_group_is_satisfied_by_all_pieces_of_an_alternative(
    before: str, mapping: dict[str, list[str]], after: str
) -> None:
    """A chunk cut in two is found when both pieces are: no label gets easier by a new cut."""
    assert move(f'{{"a b": 1, "evidence": {before}}}', mapping)[0] == (
        f'{{"a b": 1, "evidence": {after}}}'
    )


def test_a_group_of_many_split_alternatives_is_left_to_a_person() -> None:
    """Three pieces for each of four alternatives would be 81 groups."""
    mapping = {old: [f"{old}{n}" for n in range(3)] for old in "abcd"}
    with pytest.raises(InputError, match="more than 64"):
        move('{"evidence": [["a","b","c","d"]]}', mapping)


def test_labels_of_chunks_that_are_gone_go_only_when_asked() -> None:
    """They are named, so that a person decides."""
    row = '{"relevant_ids": ["a", "b"], "evidence": [["a"], ["a","b"]], "judgments": {"b":1,"a":2}}'
    text, done = move(row, {"a": []})
    assert (text, done.gone, done.dropped) == (row, {"a"}, 0)
    text, done = move(row, {"a": []}, drop_gone=True)
    assert text == '{"relevant_ids": ["b"], "evidence": [["b"]], "judgments": {"b":1}}'
    assert done.dropped == 4


def test_hashes_of_old_ids_go_and_others_stay() -> None:
    """Nobody reviewed the new chunks; that of a gone chunk stays with its label."""
    row = '{"relevant_ids": ["a","b","c"], "label_hashes": {"a":"1", "b":"2", "c":"3"}}'
    text, done = move(row, {"a": ["b"], "b": ["x"], "c": []})
    assert text == '{"relevant_ids": ["b","x","c"], "label_hashes": {"c":"3"}}'
    assert done.hashes == 2


def test_mapped_fields_are_those_that_move() -> None:
    """A field of the canonical name which the dataset also has is another one."""
    row = '{"meta": {"gold": ["a"]}, "relevant_ids": ["a"]}'
    text, _ = move(row, {"a": ["x"]}, {"relevant_ids": "meta.gold"})
    assert text == '{"meta": {"gold": ["x"]}, "relevant_ids": ["a"]}'


def test_escapes_and_numbers_stay() -> None:
    """A row in ASCII stays so, an id that is a number is no text."""
    text, _ = move('{"query": "\\u00e9", "relevant_ids": ["a", 1]}', {"a": ["ü"], "1": ["x"]})
    assert text == '{"query": "\\u00e9", "relevant_ids": ["\\u00fc", 1]}'


IDS = st.sampled_from(["a", "b", "c", "d", "x", "y", 'q"\\', "é"])
ROWS = st.fixed_dictionaries(
    {"query": st.text()},
    optional={
        "relevant_ids": st.lists(IDS, unique=True),
        "forbidden_ids": st.lists(IDS, unique=True),
        "judgments": st.dictionaries(IDS, st.integers(0, 3)),
        "evidence": st.lists(st.lists(IDS, unique=True, min_size=1, max_size=3), max_size=3),
        "label_hashes": st.dictionaries(IDS, st.just("0" * 64)),
        "other": st.lists(IDS),
    },
)
MAPS = st.dictionaries(IDS, st.lists(IDS, unique=True, min_size=1, max_size=2), max_size=4)


@given(ROWS, MAPS, st.sampled_from([(", ", ": "), (",", ":"), (" ,  ", " : ")]), st.booleans())
def test_rows_are_equal_but_for_their_ids(
    row: dict[str, Any], mapping: dict[str, list[str]], marks: tuple[str, str], ascii_only: bool
) -> None:
    """Lists become the union of what their ids became, judgments the maximum, the rest itself."""
    text = json.dumps(row, separators=marks, ensure_ascii=ascii_only)
    after = json.loads(move(text, mapping)[0])
    assert after.keys() == row.keys()
    for name in ("query", "other"):
        assert after.get(name) == row.get(name)
    for name in ("relevant_ids", "forbidden_ids"):
        expected = {new for old in row.get(name, ()) for new in mapping.get(old, [old])}
        assert set(after.get(name, ())) == expected
        assert len(after.get(name, ())) == len(expected)
    grades: dict[str, int] = {}
    for old, grade in row.get("judgments", {}).items():
        for new in mapping.get(old, [old]):
            grades[new] = max(grade, grades.get(new, 0))
    assert after.get("judgments", {}) == grades


@given(st.lists(IDS, unique=True, min_size=1, max_size=4), MAPS)
def test_a_moved_group_asks_for_what_it_asked_for(
    group: list[str], mapping: dict[str, list[str]]
) -> None:
    """By enumeration of all sets of found chunks: some alternative is there in all its pieces."""
    moved = moved_group(group, lambda old: tuple(mapping[old]) if old in mapping else None)
    ids = sorted({*group, *(new for each in mapping.values() for new in each)})
    for present in product([False, True], repeat=len(ids)):
        found = {each for each, is_there in zip(ids, present, strict=True) if is_there}
        meant = any(found.issuperset(mapping.get(old, [old])) for old in group)
        assert all(found.intersection(new) for new in moved) is meant
