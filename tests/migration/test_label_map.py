"""Mappings of every form, and what is wrong with others, by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.errors import InputError
from ragguard.migration.label_map import read_label_map


def read(folder: Path, text: str, name: str = "map.csv") -> dict[str, tuple[str, ...]]:
    """The new ids by old id of a mapping."""
    (folder / name).write_text(text, encoding="utf-8")
    return {old: move.new for old, move in read_label_map(folder / name, name).moves.items()}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("map.csv", "old,new,confidence\n1e5,007,0.9\na,x,1\na,y,1\ng,,\nd,d\u2028|e,\n"),
        ("map.csv", "\ufeffreviewer,new,old\r\nme,007,1e5\r\n,x|y,a\r\n,,g\r\n,d\u2028|e,d\r\n"),
        ("map.tsv", "old\tnew\n1e5\t007\na\tx|y\na\tx|y\ng\t\nd\td\u2028|e\n"),
        ("m.json", '{"1e5": "007", "a": ["x", "y"], "g": null, "d": ["d\\u2028", "e"]}'),
        ("m", '{"1e5": ["007"], "a": ["x", "y", "x"],\n "g": [], "d": ["d\u2028", "e"]}'),
    ],
)
def test_every_form_says_the_same(tmp_path: Path, name: str, text: str) -> None:
    """Ids stay the texts they are; further columns are ignored."""
    assert read(tmp_path, text, name) == {
        "1e5": ("007",),
        "a": ("x", "y"),
        "g": (),
        "d": ("d\u2028", "e"),
    }


def test_an_id_with_a_bar_is_said_in_json(tmp_path: Path) -> None:
    """Only cells are split."""
    assert read(tmp_path, '{"a|b": "c|d"}', "map.json") == {"a|b": ("c|d",)}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("map.csv", "from,to\na,b\n", "map.csv:1: no column 'old' in the header: from, to"),
        ("map.csv", "old,neu\na,b\n", "map.csv:1: no column 'new' in the header: old, neu"),
        ("map.csv", "old,new\na,x\na,\n", "map.csv:3: 'a' is mapped twice: to x at map.csv:2, "),
        ("map.csv", "old,new\na,x|y\na,z\n", "map.csv:3: 'a' is mapped twice: to x|y at"),
        ("map.csv", "old,new\na,x\na,y|z\n", "map.csv:3: 'a' is mapped twice: to x at"),
        ("map.csv", "old,new\n,x\n", "map.csv:2: a blank old id"),
        ("map.csv", "old,new\na,x|\n", "map.csv:2: a blank id among the new ids of 'a'"),
        ("map.csv", "old,new\na,x\nb,?\n", "map.csv:3: 'b' is undecided"),
        ("map.csv", "old,new\na,x\nb\n", "map.csv:3: 1 cells under a header of 2"),
        ("map.csv", "old,new\n", "map.csv: it maps no id"),
        ("map.csv", "", "map.csv: no row in it"),
        ("map.json", '{"a": "x",\n "a": "y"}', "map.json:2:2: "),
        ("map.json", '{"a": "x",\n "b": 7}', "map.json:2:2: the new id of 'b' is no text: 7"),
        ("map.json", '["a"]', "map.json:1:1: "),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, name: str, text: str, told: str) -> None:
    """Each with the way out; none is passed over."""
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, name)
    assert str(caught.value).startswith(told)
    assert "hint: " in str(caught.value)


def test_moves_to_an_id_that_moves_are_known(tmp_path: Path) -> None:
    """An id that stays besides its piece is no chain."""
    (tmp_path / "m.csv").write_text("old,new\na,b\nb,c\nd,d|e\ne,e\n")
    label_map = read_label_map(tmp_path / "m.csv", "m.csv")
    assert [(one.old, two.old) for one, two in label_map.chains()] == [("a", "b")]
