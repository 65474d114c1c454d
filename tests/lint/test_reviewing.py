"""Reviews of labels recorded: hashes of the chunks, and not a byte besides."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ragguard.errors import InputError, RagguardError, UsageError
from tests.lint.linting import VERSIONS, fixed_suite, suite_of, write

GIVEN = "a" * 64
OF_TEXT = hashlib.sha256("Öffnungszeiten".encode()).hexdigest()
OLD = "0" * 64
CORPUS = [
    {"id": "c1", "sha256": GIVEN.upper()},
    {"id": "c2", "text": "Öffnungszeiten"},
    {"id": "é"},
]
NEW = f'"c1": "{GIVEN}", "c2": "{OF_TEXT}"'


def recorded(folder: Path, content: str, *query_ids: str, **settings: Any) -> str:
    """What recording leaves of a dataset whose suite has the corpus above."""
    write(folder, {"docs.jsonl": content, "docs.meta.json": VERSIONS, "corpus.jsonl": CORPUS})
    suite = suite_of("docs.jsonl", corpus="corpus.jsonl", **settings)
    return fixed_suite(folder, suite, reviewed=query_ids or ["ALL"]).decode()


ROW = '"query_id": "q1", "query": "x", "relevant_ids": ["c1", "c2"]'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{{{ROW}}}", f'{{{ROW}, "label_hashes": {{{NEW}}}}}'),
        (f"{{ {ROW} }}", f'{{ {ROW}, "label_hashes": {{{NEW}}} }}'),
        (
            '{"query_id":"q1","query":"\\u00e9","judgments":{"c1":2}}',
            f'{{"query_id":"q1","query":"\\u00e9","judgments":{{"c1":2}},"label_hashes":{{"c1":"{GIVEN}"}}}}',
        ),
        (
            '{"query_id" : "q1"  ,  "query" : "x", "evidence" : [["c1"],["c1"]]}',
            '{"query_id" : "q1"  ,  "query" : "x", "evidence" : [["c1"],["c1"]]'
            f'  ,  "label_hashes" : {{"c1" : "{GIVEN}"}}}}',
        ),
        # What differs is rewritten where it stands, what lacks comes after it.
        (
            f'{{"label_hashes": {{"c1": "{OLD}"}}, {ROW}}}',
            f'{{"label_hashes": {{{NEW}}}, {ROW}}}',
        ),
        (f'{{"label_hashes": {{ }}, {ROW}}}', f'{{"label_hashes": {{{NEW} }}, {ROW}}}'),
        (f'{{"label_hashes": null, {ROW}}}', f'{{"label_hashes": {{{NEW}}}, {ROW}}}'),
        # What is right already stays to the byte, and so does the hash of no label.
        (
            f'{{"label_hashes":{{"c1" :"{GIVEN}", "gone": "{OLD}"}}, '
            '"query_id": "q1", "query": "x", "relevant_ids": ["c1"]}',
            None,
        ),
    ],
)  # fmt: skip
def test_hashes_of_labels_are_written_in_the_style_of_the_row(
    before: str, after: str | None, tmp_path: Path
) -> None:
    """Of `sha256` or of the text; at the end of the row; a second time nothing changes."""
    for end in ("\n", "\r\n"):
        expected = (after or before) + end
        assert recorded(tmp_path, before + end) == expected
        assert recorded(tmp_path, expected) == expected


def test_only_the_named_queries_are_recorded(tmp_path: Path) -> None:
    """One id, several, or ALL."""
    rows = [f'{{"query_id": "q{n}", "query": "x{n}", "relevant_ids": ["c1"]}}' for n in (1, 2, 3)]
    content = "\n".join(rows) + "\n"
    for query_ids, lines in ((["q2"], [1]), (["q1", "q3"], [0, 2]), (["ALL"], [0, 1, 2])):
        after = recorded(tmp_path, content, *query_ids).splitlines()
        assert [n for n in range(3) if "label_hashes" in after[n]] == lines
        assert [after[n] for n in range(3) if n not in lines] == [
            rows[n] for n in range(3) if n not in lines
        ]


def test_hashes_stand_where_the_mapping_has_them(tmp_path: Path) -> None:
    """Under their own name, in an object that is there, or in one that is made."""
    fields = {"query_id": "id", "relevant_ids": "gold", "label_hashes": "review.of.hashes"}
    begin = '{"id": "q1", "query": "x", "gold": ["c1"]'
    made = f'{begin}, "review": {{"of": {{"hashes": {{"c1": "{GIVEN}"}}}}}}}}\n'
    assert recorded(tmp_path, begin + "}\n", fields=fields) == made
    there = begin + ', "review": {"by": "me", "of": {}}}\n'
    filled = f'{begin}, "review": {{"by": "me", "of": {{"hashes": {{"c1": "{GIVEN}"}}}}}}}}\n'
    assert recorded(tmp_path, there, fields=fields) == filled
    flat = {**fields, "label_hashes": "sums"}
    made = f'{begin}, "sums": {{"c1": "{GIVEN}"}}}}\n'
    assert recorded(tmp_path, begin + "}\n", fields=flat) == made


def test_labels_are_mended_before_they_are_recorded(tmp_path: Path) -> None:
    """The hash is that of the label as fixing leaves it."""
    after = json.loads(recorded(tmp_path, '{"query_id": 1, "query": "x", "relevant_ids": ["c1 "]}'))
    assert after["label_hashes"] == {"c1": GIVEN}
    assert after["query_id"] == "1"


def test_a_forbidden_chunk_is_not_recorded(tmp_path: Path) -> None:
    """It answers nothing; a distractor of grade 0 was judged."""
    row = '{"query_id": "q", "query": "x", "judgments": {"c1": 1, "c2": 0}, "forbidden_ids": ["é"]}'
    assert json.loads(recorded(tmp_path, row))["label_hashes"] == {"c1": GIVEN, "c2": OF_TEXT}


def refused(folder: Path, content: str, *query_ids: str, **settings: Any) -> RagguardError:
    """The error of recording."""
    with pytest.raises(RagguardError) as error:
        recorded(folder, content, *query_ids, **settings)
    return error.value


def test_an_unknown_query_id_is_a_usage_error(tmp_path: Path) -> None:
    """Else a slip would record nothing, and nobody would see it."""
    error = refused(tmp_path, f"{{{ROW}}}\n", "q1", "Q1")
    assert isinstance(error, UsageError)
    assert "'Q1'" in error.message


def test_what_cannot_be_recorded_is_said(tmp_path: Path) -> None:
    """No corpus, no hash of any label, a hash that is none, something else in the place, gzip."""
    row = f"{{{ROW}}}\n"
    write(tmp_path, {"docs.jsonl": row, "docs.meta.json": VERSIONS})
    with pytest.raises(UsageError, match="has no corpus whose hashes"):
        fixed_suite(tmp_path, suite_of("docs.jsonl"), reviewed=["q1"])
    bare = row.replace('["c1", "c2"]', '["é"]')
    assert "neither `sha256` nor `text`" in refused(tmp_path, bare).message
    error = refused(tmp_path, row.replace("}", ', "label_hashes": [1]}'))
    assert isinstance(error, InputError)
    assert "label_hashes" in error.message
    assert str(error.location).endswith("docs.jsonl:1:64")
    write(tmp_path, {"docs.jsonl.gz": gzip.compress(row.encode())})
    with pytest.raises(InputError, match="gzip is not rewritten"):
        fixed_suite(tmp_path, suite_of("docs.jsonl.gz", corpus="corpus.jsonl"), reviewed=["q1"])
    write(tmp_path, {"corpus.jsonl": [{"id": "c1", "sha256": "no"}], "docs.jsonl": row})
    with pytest.raises(InputError, match="the sha256 of 'c1' is none"):
        fixed_suite(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"), reviewed=["q1"])
