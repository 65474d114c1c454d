"""Decoding by the block says what strict reading says, of every line."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragguard.corpus import blocks
from ragguard.corpus.bulk import BulkDecoder
from ragguard.corpus.chunk import Chunk
from ragguard.corpus.faults import Faults
from ragguard.corpus.reading import read_chunks
from ragguard.dataset import lines
from ragguard.errors import InputError

Outcome = tuple[list[tuple[int, Chunk]], str]


def strictly(path: Path, *, with_text: bool) -> Outcome:
    """What reading line by line finds."""
    faults, found = Faults(path.name), []
    try:
        for numbered in read_chunks(path, path.name, faults, with_text=with_text):
            found.append(numbered)  # noqa: PERF402 - what came before a fault is kept
        faults.raise_any()
    except InputError as error:
        return found, str(error)
    return found, ""


def by_the_block(path: Path, *, with_text: bool, size: int = 2) -> Outcome:
    """What reading by blocks of about that many bytes finds."""
    found = []
    try:
        with (
            patch.object(blocks, "FEW_BLOCKS", 0),
            patch.multiple(lines, _FIRST_BLOCK=size, _BLOCK=size),
        ):
            for block in blocks.read_blocks(path, path.name, with_text=with_text):
                for index, chunk_id in enumerate(block.ids):
                    chunk = block.chunk(index)
                    assert chunk.chunk_id == chunk_id
                    assert not chunk.is_notable or block.may_be_notable
                    assert not chunk.parent_id or block.parents[index] == chunk.parent_id
                    found.append((block.line(index), chunk))
    except InputError as error:
        return found, str(error)
    return found, ""


def ids_alone(path: Path) -> list[str]:
    """The ids that are read where nothing else is asked for."""
    with (
        patch.object(blocks, "FEW_BLOCKS", 0),
        patch.multiple(lines, _FIRST_BLOCK=64, _BLOCK=64),
    ):
        return [chunk_id for ids in blocks.read_ids(path, path.name) for chunk_id in ids]


def agree(content: bytes, size: int = 64) -> Outcome:
    """Hold both ways of reading together, with and without texts; what they say without."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.jsonl"
        path.write_bytes(content)
        for with_text in (True, False):
            expected = strictly(path, with_text=with_text)
            assert by_the_block(path, with_text=with_text, size=size) == expected
        if not expected[1]:
            assert ids_alone(path) == [chunk.chunk_id for _, chunk in expected[0]]
    return expected


PLAIN = b'{"id": "a", "text": "one"}\n'
DOUBTFUL = [
    b'{"id": "a", "id": "b"}',
    b'{"id": "a", "x": {"k": 1, "k": 2}}',
    b'{"id" : "a", "id": "b"}',
    b'{"id" :"a", "text": "x", "text": "y"}',
    b'{"id": "a", "text": "one", "te\\u0078t": "two"}',
    b'{"id": "a", "k\\\\": 1, "k\\\\": 2}',
    b'{"id": "a", "k\\\\" : 1, "k\\\\" : 2}',
    b'{"id": "a", "k\\\\ ": 1, "k\\\\ ": 2}',
    b'{"id": "a:b", "k\\\\": 1, "k\\\\": 2}',
    b'{"id": "a:b", "k\\\\" : 1, "k\\\\" : 2}',
    b'{"_id": "a", "x": 1}\n{"_id": "a", "id": "b"}',
    b'{"id": "a", "text": "say \\":\\" and \\" :"}',
    b'{"id": "a", "text": "ends with \\\\"}',
    b'{"id": "a", "text": "\\\\\\":"}',
    b'{"id": "a", "x": NaN}',
    b'{"id": "a", "x": -Infinity}',
    b'{"id": "a", "x": 1e999}',
    b'{"id": "a", "x": ' + b"9" * 400 + b"}",
    b'{"id": "a", "x": "\\ud800"}',
    b'{"id": "a", "x": "\\udc00\\ud800"}',
    b'{"id": "a", "x": "\\ud83d\\ude00"}',
    b'{"id": "\\ud800"}',
    b'{"id": "a", "x": "\xff"}',
    b'{"id": "a", "x": "\xed\xa0\x80"}',
    b'{"id": "a", "x": "\x01"}',
    b'{"id": "a", "x": ' + b"[" * 99 + b"]" * 99 + b"}",
    b'{"id": "a", "x": ' + b"[" * 100 + b"]" * 100 + b"}",
    b'{"id": "a", "x": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"id": "a"} {"id": "b"}',
    b'{"id": "a"}{"id": "b"}\n',
    b'{"id":\n"a"} {"id": "b"}',
    b'{"id": "a", "x":\n{"y": 1}} {"id": "b"}',
    b'{"id": "a", "x": [{"y": 1}\n,{"y": 2}]}',
    b"\n \n\x0c\n",
    b'  {"id": "a"}  ',
    b'{"id": "a"}\r',
    b'{"id": "a"}\xc2\xa0',
    b'\xef\xbb\xbf{"id": "a"}',
    b'[{"id": "a"}]',
    b'"a"',
    b'{"id": null}',
    b'{"id": ""}',
    b'{"id": 7}',
    b'{"ID": "a"}',
    b'{"_id": "a"}',
    b'{"_id": "a", "id": "b"}',
    b'{"_id": 7, "id": "b"}',
    b'{"id": "a", "status": ""}',
    b'{"id": "a", "status": null}',
    b'{"id": "a", "status": "superseded", "superseded_by": "b"}',
    b'{"id": "a", "status": "Active"}',
    b'{"id": "a", "access": []}',
    b'{"id": "a", "access": null}',
    b'{"id": "a", "access": ""}',
    b'{"id": "a", "access": ["x", 1]}',
    b'{"id": "a", "effective_to": ""}',
    b'{"id": "a", "effective_to": "2026-01-01"}',
    b'{"id": "a", "effective_to": "2026-01-01T10:00"}',
    b'{"id": "a", "effective_to": "2026-01-01\\n"}',
    b'{"id": "a", "effective_to": "2026-01-01T\\n"}',
    b'{"id": "a", "effective_to": "\\u0662026-01-01"}',
    b'{"id": "a", "parent_id": "d", "text": null}',
    b'{"id": "a", "title": 7, "text": 8}',
    b'{"id": "a", "metadata": {"page": 1, "tags": ["x", "y"]}}',
    b'{"id": "a", "metadata": {"page": 1, "list": [{"k": 1}, {"k": 2}]}}',
    b'{"id": "a", "": 1, "field_0": 2, "class": 3}',
    b'{"id": "a"',
    b"{",
    b"",
]


@pytest.mark.parametrize("line", DOUBTFUL)
def test_a_doubtful_line_is_told_as_strict_reading_tells_it(line: bytes) -> None:
    """Alone, among sound lines of another make, and again and again."""
    for content in (
        line,
        line + b"\n",
        PLAIN + line + b"\n" + PLAIN,
        PLAIN * 40 + line + b"\n" + PLAIN * 40,
        (line + b"\n") * 3,
        (line + b"\r\n") * 3,
    ):
        agree(content)
        agree(content, size=2000)


SHORT = st.text('ab\\":, \t\n{}é\u2028\u00a0', max_size=4)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**20) | st.floats() | SHORT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(SHORT, inner, max_size=2),
    max_leaves=4,
)
KEYS = ["id", "_id", "text", "title", "status", "access", "effective_to", "parent_id", "x", 'y":']
KNOWN = {"id": SHORT, "status": st.sampled_from(["active", "withdrawn", "", "x"])}
ROW = st.dictionaries(st.sampled_from(KEYS), VALUE, max_size=4).flatmap(
    lambda row: st.fixed_dictionaries({"id": SHORT}).map(lambda more: row | more) | st.just(row)
)


@st.composite
def manifests(draw: st.DrawFn) -> bytes:
    """Lines of JSON, most of one make, written in several ways, some spoilt."""
    rows = draw(st.lists(ROW, min_size=1, max_size=3))
    lines = [
        json.dumps(row, ensure_ascii=draw(st.booleans()), separators=draw(SEPARATORS)).encode()
        for row in rows
    ] * draw(st.sampled_from([1, 3]))
    for index in draw(st.lists(st.integers(0, len(lines) - 1), max_size=2)):
        at = draw(st.integers(0, len(lines[index])))
        lines[index] = lines[index][:at] + draw(SPOIL) + lines[index][at:]
    return draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"])).join(lines) + draw(
        st.sampled_from([b"", b"\n"])
    )


SEPARATORS = st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : "), (",\t", "\t:")])
SPOIL = st.sampled_from([b"\n", b" ", b'"', b'"id": "z", ', b"\\", b"\xff", b"{", b"}\n{", b"\0"])


@given(manifests())
@example(b'{"id": "a", "x": {}}\n' * 3)
@example(b'{"id": "", "x": "\\": 1"}')
def test_whatever_the_lines_both_ways_agree(content: bytes) -> None:
    """The same chunks on the same lines, the same faults in the same words."""
    agree(content)
    agree(content, size=2)


def test_sound_blocks_are_decoded_at_once() -> None:
    """Of the makes that people write, so that none of them is slow."""
    for row in (
        {"id": "a"},
        {"_id": "a", "title": "T", "text": 'A "quoted": word', "metadata": {}},
        {"id": "a", "parent_id": "d", "sha256": "0" * 64, "status": "active", "access": ["x"]},
        {"id": "a", "text": 'l\u00e9 « mot » : "x" : y', "metadata": {"page": 1, "tags": ["x"]}},
        {"id": "a", "metadata": {"parts": [{"k": 1}, {"k": 2}]}},
    ):
        for ascii_only in (True, False):
            line = json.dumps(row, ensure_ascii=ascii_only).encode() + b"\n"
            rows = BulkDecoder(with_text=True).rows(line * 5, 5)
            assert rows is not None, row
            assert len(rows.rows) == 5
    varied = b'{"id": "a"}\n{"id": "b", "status": "withdrawn"}\r\n'.replace(b"\r", b"")
    assert BulkDecoder(with_text=False).rows(varied, 2) is not None


def test_small_manifests_do_not_load_the_decoder(tmp_path: Path) -> None:
    """Its import takes longer than reading them."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(PLAIN * 1000)
    with patch.dict("sys.modules", {"ragguard.corpus.bulk": None}):
        assert sum(len(b.ids) for b in blocks.read_blocks(path, "m", with_text=False)) == 1000
        path.write_bytes(PLAIN * 20_000)
        with pytest.raises(ImportError):
            list(blocks.read_blocks(path, "m", with_text=False))
