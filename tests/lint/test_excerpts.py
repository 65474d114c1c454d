"""The lines that findings point at."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.excerpts import REACH, Excerpt, excerpts
from ragguard.lint.result import LintResult
from ragguard.location import Location
from tests.lint.linting import VERSIONS, lint, lint_bytes, suite_of, write


def row(**fields: object) -> bytes:
    """A row that is sound but for these fields, as a line."""
    sound = {"query_id": "q1", "query": f"opening hours {fields}", "relevant_ids": ["c1"]}
    return json.dumps(sound | fields, ensure_ascii=False).encode() + b"\n"


def marked(result: LintResult) -> list[str | None]:
    """For each finding the value at its place, as its excerpt has it."""
    return [
        None if excerpt is None else _value(found, excerpt)
        for found, excerpt in zip(result.diagnostics, excerpts(result), strict=True)
    ]


def _value(found: Diagnostic, excerpt: Excerpt) -> str:
    place = (found.location.column or 1) - excerpt.start
    return excerpt.text[place : place + excerpt.length]


def at(file: str, line: int | None, column: int | None = 1) -> Diagnostic:
    """A finding at a place."""
    return Diagnostic("RG999", "x", Severity.ERROR, "m", Location(file, line, column))


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_every_finding_of_a_row_marks_its_value(compress: type[bytes], tmp_path: Path) -> None:
    """Texts with their quotes, numbers, in plain and in compressed files."""
    content = row() + row(query_id=7, relevant_ids=["c1", "é", "c1"], critical="yes")
    result = lint_bytes(tmp_path, compress(content))
    assert marked(result) == ["7", '"c1"', '"yes"']
    assert {excerpt.digest for excerpt in excerpts(result) if excerpt} == {
        next(each.digest for each in excerpts(result) if each)
    }


def test_columns_are_those_of_the_text_without_mark_and_line_end(tmp_path: Path) -> None:
    """A byte-order mark and a carriage return stand in no excerpt."""
    result = lint_bytes(tmp_path, b"\xef\xbb\xbf" + row(query_id=7).replace(b"\n", b"\r\n"))
    found = [excerpt for excerpt in excerpts(result) if excerpt]
    assert marked(result) == ["{", "7"]
    assert {each.text for each in found} == {row(query_id=7).decode().rstrip("\n")}
    assert not any(each.is_cut for each in found)


def test_a_long_line_is_cut_around_the_place(tmp_path: Path) -> None:
    """However long it is, `REACH` code points on either side are kept."""
    result = lint_bytes(tmp_path, row(query="é" * 10_000, relevant_ids=[7], category="x" * 10_000))
    (excerpt,) = excerpts(result)
    assert excerpt is not None
    assert (len(excerpt.text), excerpt.is_cut) == (2 * REACH, True)
    assert marked(result) == ["7"]


@pytest.mark.parametrize(
    "line",
    [
        row(relevant_ids=[7], private=True),
        row(relevant_ids=[7], private="yes"),
        b'{"query_id": "q1", "query": "secret", "private": true,\n',
        b'{"query_id": "q1", "query": "secret", "private": true, "private": false}\n',
        b"{'query_id': 'q1', 'query': 'secret', 'private': True}\n",
        row(relevant_ids=[7], private=True).replace(b"private", b"priv\\u0061te"),
    ],
)
def test_a_private_row_has_no_excerpt(line: bytes, tmp_path: Path) -> None:
    """Nor has one that is no row, when it seems to say that it is private."""
    result = lint_bytes(tmp_path, row(query_id=1) + line + row(query_id="q2", relevant_ids=[7]))
    found = dict.fromkeys(each.location.line for each in result.diagnostics)
    assert list(found) == [1, 2, 3]
    for each, excerpt in zip(result.diagnostics, excerpts(result), strict=True):
        assert (excerpt is None) == (each.location.line == 2)


def test_a_mapped_private_field_counts(tmp_path: Path) -> None:
    """By its dotted path."""
    fields = {"private": "meta.hidden"}
    content = row(relevant_ids=[7], meta={"hidden": True}) + row(
        query_id="q2", relevant_ids=[7], meta={"hidden": False}
    )
    assert marked(lint_bytes(tmp_path, content, fields=fields)) == [None, "7"]


def test_a_row_that_speaks_of_privacy_is_not_private(tmp_path: Path) -> None:
    """Sound or not."""
    content = row(query='is "private": true valid?', relevant_ids=[7]) + row(
        query_id="q2", private=False, weight=float("inf")
    )
    assert marked(lint_bytes(tmp_path, content)) == ["7", "Infinity"]


def test_findings_in_the_configuration_have_excerpts(tmp_path: Path) -> None:
    """The plain name of a file is read where no dataset has it."""
    write(tmp_path, {"ragguard.yml": "version: 1\nsuites:\n  docs: {cutofs: [1]}\n"})
    result = LintResult((at((tmp_path / "ragguard.yml").as_posix(), 3, 10),))
    assert marked(result) == ["cutofs"]


@pytest.mark.parametrize("found", [at("gone.jsonl", 1), at("docs.jsonl", 9), at("docs.jsonl", 2)])
def test_what_is_not_there_has_no_excerpt(found: Diagnostic, tmp_path: Path) -> None:
    """A file that is gone, a line beyond the end, a blank line."""
    write(tmp_path, {"docs.jsonl": b'{"a": 1}\n  \n'})
    name = (tmp_path / found.location.file).as_posix()
    here = at(name, found.location.line)
    assert list(excerpts(LintResult((here,)))) == [None]


def test_a_finding_without_line_or_column_has_no_excerpt(tmp_path: Path) -> None:
    """And those after it have theirs."""
    write(tmp_path, {"docs.jsonl": b'{"a": 1}\n'})
    name = (tmp_path / "docs.jsonl").as_posix()
    result = LintResult((at(name, None, None), at(name, 1, None), at(name, 1, 99), at(name, 1, 7)))
    assert marked(result) == [None, None, "", "1"]


def test_a_file_that_was_not_read_to_its_end_has_no_excerpts(tmp_path: Path) -> None:
    """Whether its rows are private by its mapping is not known."""
    content = gzip.compress(row(query_id=7) + os.urandom(100_000).hex().encode())
    result = lint_bytes(tmp_path, content[:20_000])
    assert result.faults
    assert marked(result) == [None] * len(result.diagnostics)


def test_files_are_told_apart(tmp_path: Path) -> None:
    """Each finding has the line of its own file."""
    write(
        tmp_path,
        {
            "a.jsonl": row(query_id=1),
            "a.meta.json": VERSIONS,
            "b.jsonl": row() + row(query_id=22),
            "b.meta.json": VERSIONS,
        },
    )
    result = lint(tmp_path, suite_of("a.jsonl", "b.jsonl"))
    assert marked(result) == ["1", "22"]
