"""Files that are not what a dataset should be: each has its own answer, and hides nothing else."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.lint.linting import VERSIONS, codes, fixed, lint, lint_bytes, suite_of, told, write

ROW = b'{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}'
OTHER = ROW.replace(b"q1", b"q2").replace(b"opening", b"closing")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xef\xbb\xbf" + ROW + b"\n", ["1:1 RG002 the file begins with a byte-order mark"]),
        (ROW + b"\n\n  \n" + OTHER + b"\n", ["2:1 RG003 blank line", "3:1 RG003 blank line"]),
        (ROW + b"\n\n", ["2:1 RG003 blank line"]),
        (ROW, ["1:69 RG004 no newline at the end of the file"]),
        (ROW + b"\r\n" + OTHER + b"\r\n", []),
        (
            ROW + b"\n" + OTHER[:30],
            [
                "2:29 RG005 not JSON: a text without its closing quote",
                "2:31 RG004 no newline at the end of the file",
            ],
        ),
        (
            ROW.replace(b"opening", b"caf\xe9") + b"\n" + OTHER + b"\n",
            ["1:33 RG001 not UTF-8: byte 0xe9; it looks like Latin-1"],
        ),
        (
            (ROW + b"\n").decode().encode("utf-16"),
            ["1:1 RG001 not UTF-8: the file looks like UTF-16"],
        ),
        (
            (ROW + b"\n" + OTHER + b"\n").decode().encode("utf-16-le"),
            ["1:1 RG001 not UTF-8: the file looks like UTF-16LE"],
        ),
        (
            (ROW + b"\n").decode().encode("utf-16-be"),
            ["1:1 RG001 not UTF-8: the file looks like UTF-16BE"],
        ),
        (
            ROW.replace(b"hours", "\u2028\u0085".encode()) + b"\n" + b"[]\n",
            ["2:1 RG006 not an object but a list"],
        ),
    ],
    ids=[
        "byte-order-mark",
        "blank lines",
        "blank end",
        "no final newline",
        "CRLF",
        "cut off",
        "Latin-1",
        "UTF-16",
        "UTF-16LE",
        "UTF-16BE",
        "U+2028 ends no line",
    ],
)
def test_each_kind_of_text_fault_has_its_own_finding(
    content: bytes, expected: list[str], tmp_path: Path
) -> None:
    """Exactly these, with their places."""
    assert told(lint_bytes(tmp_path, content)) == expected


@pytest.mark.parametrize("name", ["docs.csv", "docs.TSV", "docs.csv.gz"])
def test_a_table_is_refused_once(name: str, tmp_path: Path) -> None:
    """A finding a line would help nobody; the hint says what makes a dataset of it."""
    write(tmp_path, {name: "question,document\nwhen?,d1\n"})
    result = lint(tmp_path, suite_of(name))
    assert not result.diagnostics
    assert [fault.message for fault in result.faults] == [
        f"a table in {name[5:8].upper()}, not JSON Lines"
    ]
    assert result.faults[0].hint == "make a dataset of it: ragguard import table"


@pytest.mark.parametrize(
    ("content", "after"),
    [
        (b"\xef\xbb\xbf" + ROW + b"\n", ROW + b"\n"),
        (b"\xef\xbb\xbf\n" + ROW, ROW + b"\n"),
        (ROW + b"\n\n  \n" + OTHER, ROW + b"\n" + OTHER + b"\n"),
        (ROW + b"\r\n\r\n" + OTHER, ROW + b"\r\n" + OTHER + b"\r\n"),
        (ROW + b"\n\n   ", ROW + b"\n"),
        (
            b'{"relevant_ids" : [ 1,2 ],  "query":"\\u00e9", "query_id":"a "}\r\n{broken\r\n',
            b'{"relevant_ids" : [ "1","2" ],  "query":"\\u00e9", "query_id":"a"}\r\n{broken\r\n',
        ),
    ],
)
def test_fixing_keeps_line_ends_key_order_and_all_other_bytes(
    content: bytes, after: bytes, tmp_path: Path
) -> None:
    """Worked out by hand; and a second run changes nothing."""
    assert fixed(tmp_path, content) == after
    assert fixed(tmp_path, after) == after


@pytest.mark.parametrize(
    ("content", "message", "expression"),
    [
        (b'[\n  {"query": "x"},\n  {"query": "y"}\n]\n', "one JSON list of 2", ".[]"),
        (b"[" + ROW + b",\n" + OTHER + b"]\n", "one JSON list of 2", ".[]"),
        (b'\xef\xbb\xbf{\n  "query_id": "q1"\n}\n', "one JSON object over several lines", "."),
        (
            b'{"name": [1, 2, 3],\n "queries": [{"a": 1}, {}]}\n',
            "one JSON object with a list of 2",
            '.["queries"][]',
        ),
    ],
)
def test_json_over_many_lines_is_one_finding(
    content: bytes, message: str, expression: str, tmp_path: Path
) -> None:
    """Not one for each line; the hint makes lines of it."""
    (found,) = (each for each in lint_bytes(tmp_path, content).diagnostics if each.code != "RG002")
    assert (found.code, found.location.line, found.location.column) == ("RG005", 1, 1)
    assert found.message == f"the file is {message}, not JSON Lines"
    assert found.hint == (
        f"write one row a line, as `ragguard import table` or `jq -c '{expression}'` does"
    )


def test_a_list_that_is_cut_off_is_explained_line_by_line(tmp_path: Path) -> None:
    """Only a file that is JSON as a whole is called so."""
    result = lint_bytes(tmp_path, b"[\n" + ROW + b",\n" + OTHER + b"\n")
    assert [each.location.line for each in result.diagnostics if each.code == "RG005"] == [1, 2]


def test_a_bad_row_hides_no_later_one(tmp_path: Path) -> None:
    """Every row is looked at, whatever stands before it."""
    lines = [b"{", b"\xff", b'{"query_id": 1}', b"[]", ROW]
    result = lint_bytes(tmp_path, b"".join(line + b"\n" for line in lines))
    assert result.rows == 5
    assert {each.location.line for each in result.diagnostics} == {1, 2, 3, 4}
    assert codes(result).count("RG111") == 1


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_dataset_is_a_fault(content: bytes, tmp_path: Path) -> None:
    """Nothing was checked, and that is said; it is not clean."""
    result = lint_bytes(tmp_path, content)
    assert [str(fault).split("\n")[0].split(": ", 1)[1] for fault in result.faults] == [
        "the dataset is empty: it holds no row"
    ]


def test_an_unreadable_file_hides_no_other(tmp_path: Path) -> None:
    """A folder with a dataset's name and damaged gzip are faults; the third file is linted."""
    (tmp_path / "a.jsonl").mkdir()
    write(tmp_path, {"b.jsonl.gz": gzip.compress(ROW * 50)[:-9], "c.jsonl": OTHER + b"\n"})
    result = lint(tmp_path, suite_of("a.jsonl", "b.jsonl.gz", "c.jsonl"))
    assert [fault.message.split(":")[0] for fault in result.faults] == [
        "cannot read it",
        "a gzip file that is damaged or cut off",
    ]
    assert "RG401" in codes(result)


@pytest.mark.slow
def test_a_line_of_fifty_megabytes_costs_no_more_than_reading_it(tmp_path: Path) -> None:
    """A sound one passes; a faulty one is found at its place, and its message is short."""
    filling = b"x" * 50_000_000
    sound = ROW.replace(b"hours", filling)
    assert told(lint_bytes(tmp_path, sound + b"\n")) == []
    long_id = sound.replace(b'"c1"', b'"' + filling + b' "')
    (found,) = lint_bytes(tmp_path, long_id + b"\n").diagnostics
    assert found.code == "RG106"
    assert found.location.column == len(sound) - len(b'"c1"]}') + 1
    assert len(found.message) < 200
    (broken,) = lint_bytes(tmp_path, sound[:-1] + b"\n").diagnostics
    assert broken.code == "RG005"


def test_compressed_datasets_are_linted_and_offered_no_fix(tmp_path: Path) -> None:
    """Positions are those of the text inside; fixing in place would need packing anew."""
    write(
        tmp_path,
        {"d.jsonl.gz": gzip.compress(ROW.replace(b'"c1"', b"1") + b"\n"), "d.meta.json": VERSIONS},
    )
    result = lint(tmp_path, suite_of("d.jsonl.gz"))
    assert told(result) == ["1:63 RG111 an id in relevant_ids is 1, not a string"]
    assert result.fixable == 0
