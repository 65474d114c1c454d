"""Manifests of every form, streamed; what is wrong with one is named with its line."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ragguard.corpus.chunk import Chunk
from ragguard.corpus.manifest import open_manifest
from ragguard.errors import InputError
from ragguard.resources import examples, schema
from tests.shared_data import shared

IDS = ("a", "b 2", "1e5", "09.10", "é")
FORMS = {
    "m.jsonl": "\n".join(json.dumps({"id": id_}) for id_ in IDS),
    "beir.jsonl": "".join(json.dumps({"_id": id_, "title": "", "text": "t"}) + "\n" for id_ in IDS),
    "m.json": json.dumps({"corpus_version": "7", "ids": IDS}, indent=1),
    "object.jsonl": json.dumps({"corpus_version": "7", "ids": IDS}),
    "list.json": json.dumps(IDS),
    "m.txt": "\r\n".join(IDS) + "\r\n\r\n",
    "m": "\n".join(IDS),
    "m.csv": "title,id\n" + "".join(f'"x, y",{id_}\n' for id_ in IDS),
    "m.tsv": "chunk_id\tnote\n" + "".join(f"{id_}\tx\n" for id_ in IDS),
}


def written(folder: Path, name: str, content: str | bytes) -> Path:
    """A manifest with that content, packed when its name says so."""
    raw = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


def chunks(path: Path, *, with_text: bool = False) -> list[Chunk]:
    """All chunks of a manifest."""
    return list(open_manifest(path).iter_chunks(with_text=with_text))


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_lists_the_same_ids(tmp_path: Path, name: str, suffix: str) -> None:
    """Byte for byte: nothing is taken for a number."""
    path = written(tmp_path, name + suffix, FORMS[name])
    assert tuple(chunk.chunk_id for chunk in chunks(path)) == IDS


def test_all_facts_of_a_chunk_are_read(tmp_path: Path) -> None:
    """From JSON Lines and from CSV alike; texts only when asked for."""
    row = {
        "id": "a",
        "parent_id": "p",
        "sha256": "0" * 64,
        "status": "superseded",
        "superseded_by": "b",
        "effective_from": "2025-01-01",
        "effective_to": "2026-01-01",
        "access": ["admin", "staff"],
        "text": 'one "two"\nthree',
    }
    Draft202012Validator(schema("manifest")).validate(row)
    expected = Chunk(
        chunk_id="a",
        parent_id="p",
        sha256="0" * 64,
        status="superseded",
        superseded_by="b",
        effective_from="2025-01-01",
        effective_to="2026-01-01",
        access=("admin", "staff"),
        text='one "two"\nthree',
    )
    assert chunks(written(tmp_path, "m.jsonl", json.dumps(row)), with_text=True) == [expected]
    assert chunks(tmp_path / "m.jsonl")[0].text is None
    table = (
        "id,parent_id,sha256,status,superseded_by,effective_from,effective_to,access,text\n"
        f'a,p,{"0" * 64},superseded,b,2025-01-01,2026-01-01,admin|staff,"one ""two""\nthree"\n'
    )
    assert chunks(written(tmp_path, "m.csv", table), with_text=True) == [expected]


def test_a_title_is_the_first_line_of_its_text(tmp_path: Path) -> None:
    """BEIR keeps it apart; the built-in search finds both."""
    path = written(tmp_path, "c.jsonl", '{"_id": "a", "title": "T", "text": "x"}')
    assert chunks(path, with_text=True)[0].full_text == "T\nx"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("m.jsonl", b"", "m.jsonl: the manifest is empty"),
        ("m.jsonl", b"\n \n", "the manifest is empty"),
        ("m.jsonl", b'{"id": "a"}\n{"id": 5}\n', ":2:1: the id of a chunk is a text .* here 5"),
        ("m.jsonl", b'{"id": "a"}\n{"id": ""}\n', ":2:1: the id of a chunk"),
        ("m.jsonl", b'{"id": "a"}\n{"name": "b"}\n', ":2:1: a chunk without an id"),
        ("m.jsonl", b'{"id": "a"}\n["b"]\n', ":2:1: not an object but a list"),
        ("m.jsonl", b'{"id": "a"}\n{"id": "b",}\n', ":2:11: not JSON: a comma before"),
        ("m.jsonl", b'{"id": "a"}\n\xff\xfe\n', ":2:1: not UTF-8: byte 0xff"),
        ("m.jsonl", '{"id": "a"}'.encode("utf-16"), ":1:1: not UTF-8: byte 0xff"),
        ("m.jsonl", b'{"id":"a","text":"\xed\xa0\x80"}', ":1:19: not UTF-8: byte 0xed"),
        ("m.jsonl", b'{"id": "a"}\n{"id": "\\ud800"}', ":2:8: half of a surrogate pair"),
        ("m.jsonl", b'{"id": "a", "status": "Active"}', "status 'Active' is none of active"),
        ("m.jsonl", b'{"id": "a", "access": "admin"}', "access is a list of texts"),
        ("m.jsonl", b'{"id": "a", "access": [1]}', "access is a list of texts"),
        ("m.jsonl", b'{"id": "a", "parent_id": 1}', "parent_id is a text, here 1"),
        ("m.jsonl", b'{"id": "a", "effective_to": "1.2.2026"}', "effective_to is no ISO date"),
        ("m.jsonl", b'{"id": "a", "x": ' + b"[" * 100_000, ":1:1: nested more than"),
        ("m.json", b'{\n"ids": ["a" "b"]}', ":2:13: not JSON"),
        ("m.json", b'{"chunks": ["a"]}', "the object has no list `ids`"),
        ("m.jsonl", b'{"id": "a", "id": "b"}', ":1:13: the key 'id' stands twice"),
        ("m.jsonl", b'{"id": "a", "access": ["\\ud800"]}', ":1:24: half of a surrogate pair"),
        ("m.jsonl", b'{"id": NaN}', ":1:1: the id of a chunk is a text .* here nan"),
        ("m.json", b'{"ids": ["a", "\\ud800"]}', ":1:15: half of a surrogate pair"),
        ("m.json", b'["a",\n"\\ud800"]', ":2:1: half of a surrogate pair"),
        ("m.json", b'["a",\n7]', ":2:1: the id of a chunk"),
        ("m.csv", b"id,text\na,one, two\n", ":2: 3 fields under a header of 2"),
        ("m.json", b'{\n"ids": ["a", 7]}', ":2:14: the id of a chunk is a text .* here 7"),
        ("m.csv", b"name,text\na,b\n", ":1: no column 'id' in the header: name, text"),
        ("m.csv", b"\r\0", ":1: a header that cannot be read: "),
        ("m.csv", b'id,text\na,"x\ny"\n,z\n', ":4: the id of a chunk"),
        ("m.csv", b'id,text\na,b\nc,"never closed\nd,e\n', ":3: a record that cannot be read"),
        ("m.txt", b"a\n\xe9\n", ":2:1: not UTF-8"),
    ],
)
def test_a_faulty_manifest_is_named_with_its_line(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    """A chunk that is skipped would make its labels dangle, or the search miss it."""
    path = written(tmp_path, name, content)
    with pytest.raises(InputError, match=said):
        chunks(path, with_text=True)


def test_a_number_that_is_none_may_stand_where_nobody_reads(tmp_path: Path) -> None:
    """Python's json writes NaN into the metadata of many a corpus."""
    path = written(tmp_path, "m.jsonl", '{"id": "a", "metadata": {"score": NaN}}')
    assert [chunk.chunk_id for chunk in chunks(path)] == ["a"]


def test_blank_columns_at_the_end_are_no_fields(tmp_path: Path) -> None:
    """Spreadsheets write them."""
    path = written(tmp_path, "m.csv", "id,text\na,x,,\n")
    assert [chunk.text for chunk in chunks(path, with_text=True)] == ["x"]


def test_a_field_may_be_long(tmp_path: Path) -> None:
    """Python's csv module stops at 131,072 characters unless it is told."""
    path = written(tmp_path, "m.csv", "id,text\na," + "x" * 200_000 + "\nb,y\n")
    assert [len(chunk.text or "") for chunk in chunks(path, with_text=True)] == [200_000, 1]


@pytest.mark.parametrize("make", ["folder", "nothing"])
def test_a_manifest_that_is_no_file_is_named(tmp_path: Path, make: str) -> None:
    """With the way out."""
    if make == "folder":
        (tmp_path / "m.json").mkdir()
    with pytest.raises(
        InputError, match=r"m\.json: (cannot read it|a manifest is a file)"
    ) as caught:
        chunks(tmp_path / "m.json")
    assert caught.value.hint


def test_the_version_stands_in_the_sidecar_or_inside(tmp_path: Path) -> None:
    """Without either it is None."""
    inside = written(tmp_path, "i.json", '{"corpus_version": "7", "chunker": "c", "ids": ["a"]}')
    assert open_manifest(inside).corpus_version == "7"
    assert open_manifest(inside).facts["chunker"] == "c"
    one_line = written(tmp_path, "o.jsonl", '{"corpus_version": "9", "ids": ["a"]}\n')
    assert open_manifest(one_line).corpus_version == "9"
    chunk = written(tmp_path, "c.jsonl", '{"id": "a", "corpus_version": "9", "ids": ["b"]}\n')
    assert [each.chunk_id for each in chunks(chunk)] == ["a"]
    assert open_manifest(chunk).corpus_version is None
    lines = written(tmp_path, "l.jsonl.gz", '{"id": "a"}\n')
    assert open_manifest(lines).corpus_version is None
    written(tmp_path, "l.meta.json", '{"corpus_version": "8"}')
    assert open_manifest(lines).corpus_version == "8"


@pytest.mark.parametrize("version", ["7", "null", '" "'])
def test_a_version_inside_that_is_no_text_is_named(tmp_path: Path, version: str) -> None:
    """It would count as missing, and nobody would see why."""
    path = written(tmp_path, "i.json", '{"ids": ["a"], "corpus_version": ' + version + "}")
    with pytest.raises(InputError, match=r"i\.json:1:34: corpus_version is"):
        open_manifest(path)


def test_a_view_knows_the_asked_ids_only(tmp_path: Path) -> None:
    """With twins, lines, the total, and ids that are parents of chunks."""
    rows = [
        {"id": "a", "text": "one"},
        {"id": "b", "parent_id": "doc"},
        {"id": "a", "status": "withdrawn"},
        {"id": "c", "parent_id": "doc"},
    ]
    path = written(tmp_path, "m.jsonl", "\n\n".join(map(json.dumps, rows)))
    view = open_manifest(path).view({"a", "doc", "gone"})
    assert view.missing == {"doc", "gone"}
    assert dict(view.notable) == {}
    assert view.count == 4
    assert dict(view.duplicates) == {"a": (1, 5)}
    assert dict(view.parents) == {"doc": 2}


def test_a_view_keeps_what_is_notable_of_a_chunk(tmp_path: Path) -> None:
    """Another status, dates, a successor; of a chunk listed twice what its first line says."""
    rows: list[dict[str, object]] = [
        {"id": "plain", "status": "active", "access": ["staff"], "sha256": "0" * 64},
        {"id": "null", "status": None, "superseded_by": None, "effective_from": None},
        {"id": "old", "status": "superseded", "superseded_by": "new", "title": "T", "text": "x"},
        {"id": "gone", "status": "withdrawn"},
        {"id": "dated", "effective_to": "2026-01-01"},
        {"id": "begun", "effective_from": "2026-01-01"},
        {"id": "replaced", "superseded_by": "new"},
        {"id": "plain", "status": "withdrawn"},
        {"id": "gone"},
        {"id": "not asked", "status": "withdrawn"},
    ]
    path = written(tmp_path, "m.jsonl", "\n".join(map(json.dumps, rows)))
    asked = [str(row["id"]) for row in rows[:-1]]
    for digests_of in ((), asked):
        view = open_manifest(path).view(asked, digests_of)
        assert dict(view.notable) == {
            "old": Chunk("old", status="superseded", superseded_by="new"),
            "gone": Chunk("gone", status="withdrawn"),
            "dated": Chunk("dated", effective_to="2026-01-01"),
            "begun": Chunk("begun", effective_from="2026-01-01"),
            "replaced": Chunk("replaced", superseded_by="new"),
        }


def test_a_view_knows_the_digests_asked_for(tmp_path: Path) -> None:
    """That of the manifest in lower case, else of the text without its title, else none."""
    rows = [
        {"id": "given", "sha256": "AB" * 32, "text": "another"},
        {"id": "made", "title": "T", "text": "abc"},
        {"id": "empty", "text": ""},
        {"id": "neither"},
        {"id": "not asked", "text": "abc"},
        {"id": "made", "text": "x"},
    ]
    path = written(tmp_path, "m.jsonl", "\n".join(map(json.dumps, rows)))
    asked = {row["id"] for row in rows}
    view = open_manifest(path).view(asked, asked - {"not asked"})
    assert dict(view.digests) == {
        "given": "ab" * 32,
        # FIPS 180-2, appendix B.1, and the digest of nothing.
        "made": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "empty": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }
    assert dict(open_manifest(path).view(asked).digests) == {}


def test_chunks_are_looked_up_with_all_their_facts(tmp_path: Path) -> None:
    """The first line of each counts; ids that are not there are left out."""
    path = written(
        tmp_path, "m.jsonl", '{"id": "a", "access": ["x"], "text": "t"}\n{"id": "a"}\n{"id": "b"}'
    )
    assert open_manifest(path).chunks({"a", "c"}) == {"a": Chunk("a", access=("x",))}


def big(folder: Path, count: int) -> Path:
    """A manifest of that many chunks, 200 bytes each."""
    path = folder / "big.jsonl"
    text = "x" * 160
    with path.open("w") as stream:
        for number in range(count):
            stream.write(f'{{"id": "chunk-{number:06d}", "text": "{text}"}}\n')
    return path


@pytest.mark.parametrize("count", [10_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_memory_grows_with_the_labels_not_with_the_manifest(tmp_path: Path, count: int) -> None:
    """Of 2 MB or 40 MB, a view of 100 chunks needs no more than a few blocks."""
    manifest = open_manifest(big(tmp_path, count))
    asked = {f"chunk-{number:06d}" for number in range(0, count, count // 100)}
    tracemalloc.start()
    view = manifest.view(asked)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert view.count == count
    assert not view.missing
    assert peak < 4_000_000


def test_looking_for_near_ids_keeps_only_the_best(tmp_path: Path) -> None:
    """A dozen chunks are one edit away; three are kept."""
    manifest = open_manifest(big(tmp_path, 2_000))
    tracemalloc.start()
    near = manifest.nearest(["chunk-00012"])["chunk-00012"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [each.distance for each in near] == [1, 1, 1]
    assert peak < 4_000_000


def test_the_example_and_public_corpora_are_read() -> None:
    """The bundled manifest has 262 chunks; LIMIT's 46 documents have names with spaces."""
    bundled = open_manifest(examples() / "corpus" / "manifest.jsonl")
    assert bundled.view({"invoice-lifecycle"}).count == 262
    limit = shared("data/trec-beir/limit/data/limit-small/corpus.jsonl")
    found = chunks(limit, with_text=True)
    assert len(found) == 46
    assert found[0].chunk_id == "Geneva Durben"
    assert all(chunk.text for chunk in found)


@given(st.binary(max_size=120), st.sampled_from(["m.jsonl", "m.json", "m.csv", "m.tsv", "m.txt"]))
def test_no_bytes_end_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    """Whatever the bytes: chunks, or an error a person can act on."""
    path = tmp_path_factory.mktemp("fuzz") / name
    path.write_bytes(content)
    try:
        found = chunks(path, with_text=True)
    except InputError as error:
        str(error).encode()
        return
    for chunk in found:
        repr(chunk).encode()
        assert chunk.chunk_id


ROWS = st.lists(
    st.dictionaries(
        st.sampled_from(["id", "_id", "text", "title", "status", "access", "effective_to", "x"]),
        st.none() | st.integers() | st.text(max_size=4) | st.lists(st.text(max_size=2), max_size=2),
    ),
    min_size=1,
    max_size=4,
)


@given(ROWS)
def test_no_rows_end_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    """Valid JSON with values nobody expects."""
    path = tmp_path_factory.mktemp("fuzz") / "m.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    try:
        found = chunks(path, with_text=True)
    except InputError as error:
        str(error).encode()
        return
    assert len(found) == len(rows)
    for chunk in found:
        f"{chunk.chunk_id} {chunk.text}".encode()
