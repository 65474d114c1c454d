"""Fixes that need judgment: offered where they can damage nothing, applied only when asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lint.linting import VERSIONS, fixed_suite, lint, lint_part, suite_of, write

HASH = "a" * 64
ROW: dict[str, Any] = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CORPUS = [
    {"id": "c1", "sha256": HASH},
    {"id": "billing/late-fees"},
    {"id": "Größe"},
    {"id": "doc-12"},
    {
        "id": "old",
        "status": "superseded",
        "superseded_by": "new",
        "parent_id": "d",
        "access": ["a"],
    },
    {"id": "new", "parent_id": "d", "access": ["a"]},
    {"id": "old-1", "status": "superseded", "superseded_by": "old"},
    {"id": "moved", "status": "superseded", "superseded_by": "elsewhere", "parent_id": "d"},
    {"id": "elsewhere", "parent_id": "e"},
    {"id": "open", "status": "superseded", "superseded_by": "secret"},
    {"id": "secret", "access": ["boss"]},
    {"id": "gone", "status": "superseded", "superseded_by": "nowhere"},
    {"id": "v1", "status": "superseded", "superseded_by": "v2", "parent_id": "v"},
    {"id": "v2", "status": "superseded", "superseded_by": "v3", "parent_id": "v"},
    {"id": "v3", "parent_id": "v"},
    {"id": "round", "status": "superseded", "superseded_by": "round"},
]


def row(**changed: Any) -> dict[str, Any]:
    """The sound row with other fields; None takes one away."""
    changes = {**ROW, **changed}
    return {name: value for name, value in changes.items() if value is not None}


def fixed_rows(folder: Path, *rows: dict[str, Any], unsafe: bool = True) -> list[Any]:
    """What fixing leaves of rows whose suite has the corpus above."""
    write(folder, {"docs.jsonl": list(rows), "docs.meta.json": VERSIONS, "corpus.jsonl": CORPUS})
    suite = suite_of("docs.jsonl", corpus="corpus.jsonl")
    content = fixed_suite(folder, suite, unsafe_fixes=unsafe)
    return [json.loads(line) for line in content.splitlines()]


MENDED = [
    # RG103: the only thing against the row is the name.
    (row(citical=True), row(critical=True)),
    (row(relevant_ids=None, relevant_idz=["c1"]), row()),
    # RG106: a key that becomes no other one's twin.
    (
        row(relevant_ids=None, judgments={" c1": 2, "new": 0}),
        row(relevant_ids=None, judgments={"c1": 2, "new": 0}),
    ),
    # RG301: case, normalisation, prefix, one letter.
    (row(relevant_ids=["C1"]), row(relevant_ids=["c1"])),
    (row(relevant_ids=["Gro\u0308ße"]), row(relevant_ids=["Größe"])),
    (row(relevant_ids=["late-fees"]), row(relevant_ids=["billing/late-fees"])),
    (row(relevant_ids=["billing/late-fee"]), row(relevant_ids=["billing/late-fees"])),
    (row(evidence=[["C1"], ["C1", "new"]], relevant_ids=None),
     row(evidence=[["c1"], ["c1", "new"]], relevant_ids=None)),
    # RG303: its successor, through steps, keeping the grade.
    (row(relevant_ids=["old"]), row(relevant_ids=["new"])),
    (row(relevant_ids=["v1"]), row(relevant_ids=["v3"])),
    (
        row(relevant_ids=None, judgments={"old": 3}),
        row(relevant_ids=None, judgments={"new": 3}),
    ),
    # RG304: the hash of a label that was replaced; replacing a label takes its hash away.
    (row(label_hashes={"gone": HASH}), row(label_hashes={})),
    (
        row(label_hashes={"a": HASH, "c1": HASH, "b": HASH}),
        row(label_hashes={"c1": HASH}),
    ),
    (
        row(relevant_ids=["old", "c1", "v1"], label_hashes={"old": HASH, "v1": HASH, "c1": HASH}),
        row(relevant_ids=["new", "c1", "v3"], label_hashes={"c1": HASH}),
    ),
    (row(relevant_ids=["c1 "], label_hashes={"c1 ": HASH}), row(label_hashes={})),
    # One after the other: RG103, then RG301, then RG303.
    (row(relevant_ids=None, relevant_idz=["OLD"]), row(relevant_ids=["new"])),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), MENDED)
def test_what_can_be_meant_in_one_way_only_is_mended(
    before: Any, after: Any, tmp_path: Path
) -> None:
    """With --unsafe-fixes; without them the row stays as it is."""
    assert fixed_rows(tmp_path, before) == [after]
    assert fixed_rows(tmp_path, after) == [after]
    assert fixed_rows(tmp_path, before, unsafe=False) == [before]


LEFT = [
    # RG103: two names for one field; a value of another type; labels twice; a blank query.
    row(citical=True, criticall=True),
    row(citical="yes"),
    row(judgmnts={"c1": 1}),
    row(query=None, querry=" "),
    row(answerablee=False),
    row(forbiden_ids=["c1"]),
    # RG106: the trimmed key is there, forbidden, or comes of two.
    row(relevant_ids=None, judgments={" c1": 2, "c1": 1}),
    row(relevant_ids=None, judgments={" c1": 2, "c1\t": 1}),
    row(relevant_ids=None, judgments={" c1": 2}, forbidden_ids=["c1"]),
    # RG301: a digit, a short id, several nearest, two into one, labelled or forbidden already.
    row(relevant_ids=["doc-13"]),
    row(relevant_ids=["nex"]),
    row(relevant_ids=["C1", "c1"]),
    row(relevant_ids=["late-fees", "billing/late-fee"]),
    row(relevant_ids=["C1"], forbidden_ids=["c1"]),
    row(relevant_ids=["nothing-like-it"]),
    # RG303: another document, other readers, an id that is not there, a ring, a label of its own.
    row(relevant_ids=["moved"]),
    row(relevant_ids=["open"]),
    row(relevant_ids=["old-1"]),
    row(relevant_ids=["gone"]),
    row(relevant_ids=["round"]),
    row(relevant_ids=["old", "new"]),
    row(relevant_ids=["old"], forbidden_ids=["new"]),
    row(relevant_ids=["v1", "v2"]),
]


@pytest.mark.parametrize("left", LEFT)
def test_what_could_damage_is_not_offered(left: Any, tmp_path: Path) -> None:
    """No fix at all: not one that is applied, not one that is announced."""
    assert fixed_rows(tmp_path, left) == [left]
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    assert result.diagnostics
    assert (result.fixable, result.unsafely_fixable) == (0, 0)


def test_a_successor_must_hold_on_the_day_as_of_which_a_row_asks(tmp_path: Path) -> None:
    """A label on a chunk that held neither then nor now moves to none that did not hold then."""
    corpus = [
        {"id": "a", "status": "superseded", "superseded_by": "b", "effective_to": "2024-12-31"},
        {"id": "b", "effective_from": "2026-01-01"},
    ]
    for as_of, after in (("2025-06-01", "a"), ("2026-06-01", "b"), ("2024-06-01", "a")):
        rows = [row(relevant_ids=["a"], context={"as_of": as_of})]
        write(tmp_path, {"docs.jsonl": rows, "docs.meta.json": VERSIONS, "corpus.jsonl": corpus})
        suite = suite_of("docs.jsonl", corpus="corpus.jsonl")
        content = fixed_suite(tmp_path, suite, unsafe_fixes=True)
        assert json.loads(content)["relevant_ids"] == [after], as_of


def test_a_renamed_query_id_is_no_other_query_s(tmp_path: Path) -> None:
    """Two rows that can be told apart stay so."""
    nameless = {"querry_id": "q1", "query": "x", "relevant_ids": ["c1"]}
    assert fixed_rows(tmp_path, row(), nameless) == [row(), nameless]
    nameless["querry_id"] = "q2"
    assert fixed_rows(tmp_path, row(), nameless)[1]["query_id"] == "q2"


def test_the_later_of_two_rows_that_are_the_same_goes(tmp_path: Path) -> None:
    """In the same file, and to the last character; all later ones at once."""
    twins = [row(), row(query_id="q2"), row(query_id="q3"), row(query_id="q4", critical=True)]
    assert fixed_rows(tmp_path, *twins) == [twins[0], twins[3]]
    assert fixed_rows(tmp_path, *twins, unsafe=False) == twins


def test_a_file_never_loses_its_only_row(tmp_path: Path) -> None:
    """The twin in another file stays: it may be all that file has."""
    write(tmp_path, {"a.jsonl": [row()], "b.jsonl": [row(query_id="q2")]})
    result = lint(tmp_path, suite_of("a.jsonl", "b.jsonl"))
    assert [each.fix for each in result.diagnostics if each.code == "RG203"] == [None]


def test_suites_that_share_a_file_must_agree(tmp_path: Path) -> None:
    """What is a slip for one corpus is a chunk of another."""
    from ragguard.config.model import Config
    from ragguard.lint.engine import lint_config
    from tests.lint.linting import EVERYTHING

    write(
        tmp_path,
        {
            "docs.jsonl": [row(relevant_ids=["C1"])],
            "docs.meta.json": VERSIONS,
            "lower.jsonl": [{"id": "c1"}],
            "upper.jsonl": [{"id": "C1"}],
        },
    )
    for other, offered in (("upper.jsonl", 0), ("lower.jsonl", 1)):
        suites = {
            name: suite_of("docs.jsonl", corpus=corpus)
            for name, corpus in (("one", "lower.jsonl"), ("two", other))
        }
        result = lint_config(Config(tmp_path, suites), EVERYTHING)
        assert result.unsafely_fixable == offered


def test_a_hint_names_the_options_that_fix_it(tmp_path: Path) -> None:
    """Safe and unsafe told apart; gzip is told to be left alone."""
    import gzip

    write(tmp_path, {"corpus.jsonl": CORPUS, "docs.meta.json": VERSIONS})
    rows = json.dumps(row(relevant_ids=[" c1", "OLD"])).encode() + b"\n"
    write(tmp_path, {"docs.jsonl": rows, "docs.jsonl.gz": gzip.compress(rows)})
    part = lint_part(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    hints = {each.code: each.hint or "" for each in part.result.diagnostics}
    assert hints["RG106"].endswith("; --fix does")
    assert hints["RG301"].endswith("; --fix --unsafe-fixes does")
    packed = lint(tmp_path, suite_of("docs.jsonl.gz", corpus="corpus.jsonl"))
    assert packed.fixable == packed.unsafely_fixable == 0
    for each in packed.diagnostics:
        assert "gzip is not rewritten" in (each.hint or "")
        assert "; --fix does" not in (each.hint or "")
