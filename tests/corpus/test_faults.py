"""Every entry of a manifest that holds no chunk is told, up to a sensible number."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.corpus.manifest import open_manifest
from ragguard.errors import FaultyInputError, InputError


def told(path: Path) -> list[str]:
    """What is said of a manifest, fault by fault, without the folder."""
    with pytest.raises(InputError) as caught:
        open_manifest(path).view({"a"})
    error = caught.value
    faults = error.faults if isinstance(error, FaultyInputError) else (error,)
    assert str(error) == "\n".join(map(str, faults))
    return [f"{str(fault.location).removeprefix(f'{path}:')} {fault.message}" for fault in faults]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "m.jsonl",
            b'{"id": 5}\n{"id": "a"}\n{"id":\n{"id": "b", "status": "x"}',
            [
                "1:1 the id of a chunk is a text that is not empty, here 5",
                "3:7 not JSON: the line ends in the middle",
                "4:1 the status 'x' is none of active, superseded, withdrawn",
            ],
        ),
        (
            "m.txt",
            b"a\n\xff\nb\n\xfe\n",
            [
                "2:1 not UTF-8: byte 0xff; it looks like Latin-1",
                "4:1 not UTF-8: byte 0xfe; it looks like Latin-1",
            ],
        ),
        (
            "m.csv",
            b"id,status\na,x\nb,active,c\nc,\n,y\n",
            [
                "2 the status 'x' is none of active, superseded, withdrawn",
                "3 3 fields under a header of 2",
                "5 the id of a chunk is a text that is not empty, here null",
            ],
        ),
        (
            "n.csv",
            b'id,text\na,\xff\nb,"x"y\nc,z,z\nd,"never closed\n',
            [
                "2:3 not UTF-8: byte 0xff; it looks like Latin-1",
                "3 a record that cannot be read: ',' expected after '\"'",
                "4 3 fields under a header of 2",
                "5 a record that cannot be read: unexpected end of data",
            ],
        ),
        (
            "m.json",
            b'{"ids": [7,\n"a",\nnull]}',
            [
                "1:10 the id of a chunk is a text that is not empty, here 7",
                "3:1 the id of a chunk is a text that is not empty, here null",
            ],
        ),
    ],
)
def test_all_faults_of_a_manifest_are_told_at_once(
    tmp_path: Path, name: str, content: bytes, expected: list[str]
) -> None:
    """In every form, each at its place."""
    path = tmp_path / name
    path.write_bytes(content)
    assert told(path) == expected


def test_of_very_many_faults_twenty_are_told_and_the_others_counted(tmp_path: Path) -> None:
    """Also in a manifest that is decoded by the block."""
    path = tmp_path / "m.jsonl"
    sound = b'{"id": "a", "text": "%s"}\n' % (b"x" * 100)
    path.write_bytes((sound * 99 + b'{"id": 7}\n') * 50)
    faults = told(path)
    assert faults[:20] == [
        f"{line}:1 the id of a chunk is a text that is not empty, here 7"
        for line in range(100, 2001, 100)
    ]
    assert faults[20:] == [f"{path} 30 more entries of it hold no chunk"]


def test_reading_stops_at_a_file_that_is_no_manifest(tmp_path: Path) -> None:
    """A million lines of something else need no million explanations."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(b'{"query_id": "q1"}\n' * 200_000)
    faults = told(path)
    assert len(faults) == 21
    assert faults[20] == f"{path} at least 980 more entries of it hold no chunk"


def test_an_id_under_another_name_is_told_by_that_name(tmp_path: Path) -> None:
    """Who wrote `chunk_id` is told what to rename; a parent is no id of the chunk."""
    path = tmp_path / "m.jsonl"
    path.write_text('{"parent_id": "p", "chunk_id": "c1"}\n{"parent_id": "p"}\n', encoding="utf-8")
    with pytest.raises(FaultyInputError) as raised:
        open_manifest(path).view({"a"})
    first, second = raised.value.faults
    assert (first.message, first.hint) == ("a chunk without an id", "rename 'chunk_id' to 'id'")
    assert second.message == first.message
    assert "`id`" in str(second.hint)
