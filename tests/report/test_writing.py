"""A report appears whole or not at all."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest

from ragguard.errors import InputError
from ragguard.report.reading import read_report, report_from_bytes
from ragguard.report.writing import check_place, json_line, report_bytes, write_report
from tests.report.building import answered, full_report, report_of


def test_a_report_replaces_the_one_before(tmp_path: Path) -> None:
    """And leaves nothing beside it."""
    path = tmp_path / "report.jsonl"
    path.write_text("old")
    write_report(full_report(), path)
    assert read_report(path) == full_report()
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_finished_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk at the last moment: the old file stays, the half one goes."""

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "report.jsonl"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="cannot write the report: No space left on device"):
        write_report(full_report(), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("place", "said"),
    [("absent/r.jsonl", "No such file"), (".", "directory"), ("f/r", "Not a dir")],
)
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place: str, said: str) -> None:
    """With what to do about it."""
    (tmp_path / "f").touch()
    for attempt in (partial(write_report, full_report()), check_place):
        with pytest.raises(InputError, match=said) as raised:
            attempt(tmp_path / place)
        assert raised.value.location is not None
        assert raised.value.location.file == (tmp_path / place).as_posix()
        assert "--output" in (raised.value.hint or "")


def test_looking_at_a_place_leaves_it_as_it_is(tmp_path: Path) -> None:
    """Neither a new file nor a changed one, and none of the old is asked for."""
    path = tmp_path / "report.jsonl"
    check_place(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    check_place(path)
    assert path.read_text() == "old"


def test_text_stays_readable_and_a_lone_surrogate_is_escaped() -> None:
    """UTF-8 has no lone surrogates, a retriever may have."""
    assert json_line({"id": "Gebühr"}) == '{"id":"Gebühr"}\n'.encode()
    assert json_line({"id": "\ud800"}) == b'{"id":"\\ud800"}\n'
    report = report_of([answered({"relevant_ids": ["a"]}, ["\ud800", "a"])])
    assert report_from_bytes(report_bytes(report), "r", strict=True) == report


def test_line_separators_within_texts_are_no_ends_of_records() -> None:
    """U+2028 and U+0085 end lines for some readers; records end at a line feed alone."""
    report = report_of([answered({"query": "a\u2028b\u0085c\x0cd\n", "relevant_ids": ["a"]}, "a")])
    content = report_bytes(report)
    assert report_from_bytes(content, "r") == report
    assert all(json.loads(line) for line in content.split(b"\n")[:-1])
