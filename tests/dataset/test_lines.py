"""Files as numbered lines: what ends a line, what does not, and files that are none."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.errors import InputError


def lines(path: Path) -> list[SourceLine]:
    """All lines of a file."""
    return list(read_lines(path, "shown"))


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """U+2028, U+0085, form feed and a lone carriage return may stand inside a row."""
    path = tmp_path / "x.jsonl"
    inside = "a\u2028b\u0085c\x0cd\re".encode()
    path.write_bytes(inside + b"\nnext\n")
    assert [(line.number, line.raw) for line in lines(path)] == [(1, inside), (2, b"next")]


def test_offsets_are_those_of_the_file(tmp_path: Path) -> None:
    """A fix replaces bytes; carriage returns and the mark are counted, not kept in the content."""
    path = tmp_path / "x.jsonl"
    content = b'\xef\xbb\xbf{"a":1}\r\n\r\n{"b":2}'
    path.write_bytes(content)
    first, blank, last = lines(path)
    assert (first.offset, first.content_offset, first.content) == (0, 3, b'{"a":1}')
    assert (blank.offset, blank.content, blank.raw) == (12, b"", b"\r")
    assert (last.offset, last.content, last.is_terminated) == (14, b'{"b":2}', False)
    assert first.is_terminated
    for line in (first, last):
        assert content[line.content_offset :].startswith(line.content)


def test_a_mark_counts_on_the_first_line_only(tmp_path: Path) -> None:
    """Further down U+FEFF is a character like any other, and no JSON."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"a\n\xef\xbb\xbfb\n")
    assert lines(path)[1].content == b"\xef\xbb\xbfb"


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    """Not even a blank one."""
    path = tmp_path / "x.jsonl"
    path.touch()
    assert lines(path) == []


def test_gzip_is_told_by_its_bytes(tmp_path: Path) -> None:
    """A file someone packed without saying so is read all the same."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(gzip.compress(b"a\nb\n"))
    assert [line.raw for line in lines(path)] == [b"a", b"b"]


@pytest.mark.parametrize("keep", [2, 8, 25])
def test_damaged_gzip_says_where_it_ends(tmp_path: Path, keep: int) -> None:
    """A download that broke off is no traceback and no short dataset."""
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"row one\n" * 50)[:keep])
    with pytest.raises(InputError, match="damaged or cut off"):
        lines(path)


@pytest.mark.parametrize(("make", "said"), [("folder", "directory"), ("nothing", "No such file")])
def test_what_is_no_file_is_named(tmp_path: Path, make: str, said: str) -> None:
    """With the way out."""
    path = tmp_path / "x.jsonl"
    if make == "folder":
        path.mkdir()
    with pytest.raises(InputError, match=said) as caught:
        lines(path)
    assert caught.value.hint
    assert str(caught.value).startswith("shown: ")


@given(st.lists(st.binary(max_size=12).filter(lambda raw: b"\n" not in raw), max_size=8))
def test_lines_joined_are_the_file(tmp_path_factory: pytest.TempPathFactory, parts: object) -> None:
    """Nothing is lost or invented, and offsets add up."""
    assert isinstance(parts, list)
    path = tmp_path_factory.mktemp("lines") / "x"
    content = b"\n".join(parts)
    if content.startswith(b"\x1f\x8b"):
        return
    path.write_bytes(content)
    found = lines(path)
    joined = b"".join(line.raw + (b"\n" if line.is_terminated else b"") for line in found)
    assert joined == content
    assert all(content[line.offset :].startswith(line.raw) for line in found)


def test_a_large_file_is_never_in_memory(tmp_path: Path) -> None:
    """30 MB of rows pass through less than 1 MB."""
    path = tmp_path / "x.jsonl"
    path.write_bytes((b"x" * 299 + b"\n") * 100_000)
    tracemalloc.start()
    count = sum(1 for _ in read_lines(path, "shown"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100_000
    assert peak < 1_000_000
