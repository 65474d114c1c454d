"""Rows that share a query id or a query, found by hashes and places alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragguard.lint.suite.occurrence import near_hashes, near_key
from ragguard.lint.suite.row_index import RowIndex, by_file


def test_rows_are_found_by_what_they_share() -> None:
    """An id in two files, a query in two spellings; whatever is alone is not looked at again."""
    index = RowIndex()
    index.begin_file()
    index.add_all(range(1, 4), ["q1", "q2", "q3"], ["Opening hours?", "parking", "a third"])
    index.begin_file()
    index.begin_file()
    index.add(2, "q2", "another")
    index.add(5, None, "opening  HOURS")
    index.add(6, 7, None)
    assert index.recurring() == [(0, 1), (0, 2), (2, 2), (2, 5)]
    assert list(by_file(index.recurring())) == [(0, {1, 2}), (2, {2, 5})]


def test_rows_without_an_id_are_not_alike() -> None:
    """Nothing in common is no reason to look again."""
    index = RowIndex()
    index.begin_file()
    for number in range(1, 50):
        index.add(number, None, None)
    assert index.recurring() == []


def test_ids_are_known_by_name() -> None:
    """Those that a row has, of those that are asked for."""
    index = RowIndex()
    index.begin_file()
    index.add_all(range(1, 3), ["q1", "q2"], ["a", "b"])
    assert index.present(["q2", "q9"]) == {"q2"}


def test_a_query_of_punctuation_is_its_own_key() -> None:
    """Two of them are not alike because nothing is left of them."""
    assert near_key("???") == "???"
    assert near_key("Wie heißt das?") == near_key("wie  HEISST das")
    assert near_key("ﬁne ①") == near_key("Fine 1")
    assert len(set(near_hashes(["???", "!", "a", "A."]))) == 3


@given(st.lists(st.text(max_size=12) | st.text("aB \n.?_", max_size=6), min_size=1, max_size=12))
def test_queries_taken_together_are_alike_as_one_by_one(queries: list[str]) -> None:
    """The fast way tells the same pairs apart as the slow one, and no pair of one key."""
    hashes = near_hashes(queries)
    keys = [near_key(query) for query in queries]
    for one, first in enumerate(keys):
        for other, second in enumerate(keys):
            if first == second:
                assert hashes[one] == hashes[other]
            alone = near_hashes([queries[one], "é"])[0] == near_hashes([queries[other], "é"])[0]
            assert alone == (hashes[one] == hashes[other])
