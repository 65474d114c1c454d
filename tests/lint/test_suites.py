"""Rules that look at a whole suite: ids over all files, the corpus, versions, missing files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragguard.config.model import Config
from ragguard.config.policy import Policy
from ragguard.config.reading import read_config
from ragguard.errors import InputError
from ragguard.lint.engine import blocking_diagnostics, lint_config
from ragguard.lint.fixes.fixing import Fixing
from tests.lint.linting import (
    EVERYTHING,
    VERSIONS,
    codes,
    default_selection,
    lint,
    lint_part,
    suite_of,
    told,
    write,
)


def row(query_id: str, *relevant: str, **fields: Any) -> dict[str, Any]:
    """A sound row."""
    labels = {"relevant_ids": list(relevant)} if relevant else {}
    return {"query_id": query_id, "query": f"text of {query_id}", **labels, **fields}


def corpus_of(*chunks: dict[str, Any] | str) -> list[dict[str, Any]]:
    """Rows of a manifest."""
    return [{"id": chunk} if isinstance(chunk, str) else chunk for chunk in chunks]


def test_a_query_id_is_unique_over_all_files_of_a_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding stands at the second and names the first, file and line."""
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        {
            "a.jsonl": [row("q1", "c1"), row("q2", "c1")],
            "b.jsonl": [row("q3", "c1"), row("q2", "c2")],
            "a.meta.json": VERSIONS,
            "b.meta.json": VERSIONS,
        },
    )
    (found,) = lint(tmp_path, suite_of("*.jsonl")).diagnostics
    assert str(found.location) == "b.jsonl:2:14"
    assert found.code == "RG201"
    assert found.message == "the query id 'q2' stands twice; first at a.jsonl:2"
    assert found.query_id == "q2"


def test_a_file_matched_twice_counts_once(tmp_path: Path) -> None:
    """Overlapping patterns make no twins."""
    write(tmp_path, {"a.jsonl": [row("q1", "c1")], "a.meta.json": VERSIONS})
    assert told(lint(tmp_path, suite_of("a.jsonl", "*.jsonl"))) == []


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        ("audit-fromat", "did you mean 'audit-format'?"),
        ("Audit-Format", "'audit-format' differs from it only by case"),
        ("docs/audit-format", "'audit-format' differs from it only by the prefix 'docs/'"),
        ("zzzzzzzzzz", "no id in the manifest is near to it; is the manifest that of the labels?"),
    ],
)
def test_an_unknown_chunk_is_reported_with_the_nearest(
    label: str, hint: str, tmp_path: Path
) -> None:
    """The nearest ids, or in what kind of thing the two differ."""
    parts = [{"id": f"h{number}", "parent_id": "handbook"} for number in (1, 2)]
    write(
        tmp_path,
        {
            "docs.jsonl": [row("q1", "audit-format", label)],
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": corpus_of("audit-format", *parts),
        },
    )
    (found,) = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl")).diagnostics
    assert found.code == "RG301"
    assert found.message.startswith(f"{label!r} is not in ")
    assert found.hint == hint
    assert found.location.column == 1 + len(
        '{"query_id": "q1", "query": "text of q1", "relevant_ids": ["audit-format", '
    )


def test_unknown_chunks_are_found_wherever_a_row_names_them(tmp_path: Path) -> None:
    """Judgments, evidence and forbidden ids, each row that names them, at each place."""
    write(
        tmp_path,
        {
            "docs.jsonl": [
                row("q1", judgments={"c1": 1, "gone": 0}),
                row("q2", evidence=[["c1", "gone"], ["gone"]]),
                row("q3", "c1", forbidden_ids=["gone"]),
            ],
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": corpus_of("c1"),
        },
    )
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    assert [found.query_id for found in result.diagnostics] == ["q1", "q2", "q2", "q3"]
    assert set(codes(result)) == {"RG301"}


def stale(tmp_path: Path, **fields: Any) -> list[str]:
    """Findings of one row that is about the superseded chunk `old`."""
    old = {
        "id": "old",
        "status": "superseded",
        "superseded_by": "new",
        "effective_from": "2024-01-01",
        "effective_to": "2025-06-30",
    }
    write(
        tmp_path,
        {
            "docs.jsonl": [row("q1", **fields)],
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": corpus_of(old, "new", {"id": "out", "status": "withdrawn"}),
        },
    )
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    return [f"{found.code} {found.message}; {found.hint}" for found in result.diagnostics]


def test_a_label_on_a_stale_chunk_names_the_successor(tmp_path: Path) -> None:
    """Superseded and withdrawn chunks are no answers any more."""
    assert stale(tmp_path, relevant_ids=["old", "out"]) == [
        "RG303 'old' is superseded in the corpus; "
        "its successor is 'new'; does it answer the query? If so, --fix --unsafe-fixes does it",
        "RG303 'out' is withdrawn in the corpus; label a chunk that holds, or remove the label",
    ]


def test_a_stale_label_is_silent_when_it_held_on_the_day_asked_for(tmp_path: Path) -> None:
    """Both ends of the effective dates belong to them; the day after does not."""
    for day, count in [("2024-01-01", 0), ("2025-06-30", 0), ("2025-07-01", 1), ("2023-12-31", 1)]:
        found = stale(tmp_path, relevant_ids=["old"], context={"as_of": day})
        assert len(found) == count, day


def test_a_stale_chunk_may_be_forbidden_or_a_distractor(tmp_path: Path) -> None:
    """Only what counts as relevant must hold."""
    assert stale(tmp_path, judgments={"new": 1, "old": 0}, forbidden_ids=["out"]) == []


def test_versions_are_missing_once_for_a_file_or_for_the_rows_that_lack_them(
    tmp_path: Path,
) -> None:
    """Once where none has them, per row where others do, never with a sidecar."""
    rows = [row("q1", "c1"), row("q2", "c1")]
    write(tmp_path, {"docs.jsonl": rows})
    assert told(lint(tmp_path, suite_of("docs.jsonl"))) == [
        "1:1 RG401 no row has dataset_version or corpus_version, and no sidecar names it"
    ]
    write(tmp_path, {"docs.jsonl": [rows[0] | VERSIONS, rows[1] | {"corpus_version": "1"}]})
    assert told(lint(tmp_path, suite_of("docs.jsonl"))) == [
        "2:1 RG401 dataset_version is missing; other rows have it"
    ]
    write(tmp_path, {"docs.meta.json": VERSIONS})
    assert told(lint(tmp_path, suite_of("docs.jsonl"))) == []


def test_several_versions_are_told_once_each_with_both_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over rows, sidecars and files; the count says how far it goes."""
    monkeypatch.chdir(tmp_path)
    rows = [row(f"q{number}", "c1", dataset_version="2") for number in range(3)]
    write(
        tmp_path,
        {
            "docs.jsonl": rows,
            "docs.meta.json": '{\n  "corpus_version": "1",\n  "dataset_version": "1"\n}',
        },
    )
    (found,) = lint(tmp_path, suite_of("docs.jsonl")).diagnostics
    assert found.code == "RG402"
    assert found.message == "dataset_version is '2' (3 times), but '1' at docs.meta.json:3:3"
    assert found.location.line == 1


def test_labels_for_another_corpus_version_are_told_once(tmp_path: Path) -> None:
    """At the place where the dataset names its version; silent when the manifest names none."""
    files: dict[str, Any] = {
        "docs.jsonl": [row("q1", "c1"), row("q2", "c1")],
        "docs.meta.json": VERSIONS,
        "corpus.jsonl": corpus_of("c1"),
    }
    write(tmp_path, files)
    suite = suite_of("docs.jsonl", corpus="corpus.jsonl")
    assert told(lint(tmp_path, suite)) == []
    write(tmp_path, {"corpus.meta.json": {"corpus_version": "2"}})
    (found,) = lint(tmp_path, suite).diagnostics
    assert found.code == "RG403"
    assert found.location.file.endswith("docs.meta.json")
    assert found.message.startswith("corpus_version is '1', but ")
    assert found.message.endswith("corpus.jsonl is '2'")


def test_a_suite_without_corpus_says_what_is_skipped(tmp_path: Path) -> None:
    """Skipped rules are no silence."""
    write(tmp_path, {"docs.jsonl": [row("q1", "c1")], "docs.meta.json": VERSIONS})
    result = lint(tmp_path, suite_of("docs.jsonl"))
    assert result.notes == (
        "docs has no corpus: RG301, RG302, RG303, RG304, RG306, RG307, RG403 skipped",
    )


def test_a_manifest_that_cannot_be_read_is_a_fault_and_rows_are_linted(tmp_path: Path) -> None:
    """The rules that need no corpus have run."""
    write(
        tmp_path,
        {
            "docs.jsonl": [row("q1")],
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": b'{"id": "c1"}\n{"id":\n',
        },
    )
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    assert codes(result) == ["RG104"]
    assert len(result.faults) == 1
    assert result.faults[0].location
    assert result.faults[0].location.line == 2


def test_a_sidecar_that_cannot_be_read_is_a_fault_and_rows_are_linted(tmp_path: Path) -> None:
    """Its rows are not blamed for versions that could not be read."""
    write(tmp_path, {"docs.jsonl": [row("q1")], "docs.meta.json": "{"})
    result = lint(tmp_path, suite_of("docs.jsonl"))
    assert codes(result) == ["RG104"]
    assert "a sidecar is one JSON object" in str(result.faults[0])


def test_missing_files_are_found_in_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the entry that nothing matches; the rest of the suite is linted."""
    monkeypatch.chdir(tmp_path)
    text = (
        "version: 1\nsuites:\n  docs:\n    dataset:\n      - docs.jsonl\n      - nothing*.jsonl\n"
        "    corpus: gone.jsonl\n"
    )
    write(tmp_path, {"ragguard.yml": text, "docs.jsonl": [row("q1")], "docs.meta.json": VERSIONS})
    result = lint_config(read_config(tmp_path / "ragguard.yml"), EVERYTHING)
    assert [(str(each.location), each.code) for each in result.diagnostics] == [
        ("docs.jsonl:1:1", "RG104"),
        ("ragguard.yml:6:9", "RG902"),
        ("ragguard.yml:7:13", "RG902"),
    ]
    assert "no file matches the glob 'nothing*.jsonl'" in result.diagnostics[1].message


def test_settings_of_the_suite_decide_what_a_label_is(tmp_path: Path) -> None:
    """Unlabelled rows may be meant, and the threshold says what is relevant."""
    write(
        tmp_path,
        {"docs.jsonl": [row("q1"), row("q2", judgments={"c1": 1})], "docs.meta.json": VERSIONS},
    )
    suite = suite_of("docs.jsonl", unlabelled="unanswerable")
    assert codes(lint(tmp_path, suite)) == []
    strict = replace(suite.scoring, policy=Policy(relevance_threshold=2))
    assert codes(lint(tmp_path, replace(suite, scoring=strict))) == ["RG110"]


def test_mapped_fields_are_found_under_their_own_names(tmp_path: Path) -> None:
    """Places are those of the dataset's own names, nested ones too."""
    rows = [
        {"id": "q1", "ask": {"text": " "}, "gold": [7]},
        {"id": "q1", "gold": ["c1"], "ask": {}},
    ]
    write(tmp_path, {"docs.jsonl": rows, "docs.meta.json": VERSIONS})
    mapped = {"query_id": "id", "query": "ask.text", "relevant_ids": "gold"}
    assert told(lint(tmp_path, suite_of("docs.jsonl", fields=mapped))) == [
        "1:30 RG105 the query is blank",
        "1:45 RG111 an id in relevant_ids is 7, not a string",
        "2:1 RG101 the field 'ask.text' is missing",
        "2:8 RG201 the query id 'q1' stands twice; first at "
        + str(lint(tmp_path, suite_of("docs.jsonl", fields=mapped)).files[0].shown)
        + ":1",
    ]


def test_a_padded_id_of_the_corpus_forbids_trimming_its_label(tmp_path: Path) -> None:
    """A fix that makes a label point at nothing is not safe."""
    write(
        tmp_path,
        {
            "docs.jsonl": [row("q1", "c1 ")],
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": corpus_of("c1 "),
        },
    )
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    assert codes(result) == ["RG106"]
    assert result.fixable == 0


def test_only_rows_that_cannot_be_read_or_told_apart_stop_an_evaluation(tmp_path: Path) -> None:
    """RG0 errors, RG101, RG102, RG105, RG111 and RG201; nothing else does."""
    rows = [row("q1", "c1"), row("q2"), row("q1", "c1 "), {"query": " ", "critical": 1}]
    write(tmp_path, {"docs.jsonl": rows, "bad.jsonl": b"{\n"})
    suite = suite_of("docs.jsonl", "bad.jsonl", corpus="never-read.jsonl")
    found = blocking_diagnostics(suite, Config(tmp_path, {"docs": suite}))
    assert sorted({each.code for each in found}) == ["RG005", "RG101", "RG102", "RG105", "RG201"]


def test_a_dataset_that_cannot_be_read_stops_an_evaluation(tmp_path: Path) -> None:
    """An empty one too: a mean over nothing is no mean."""
    write(tmp_path, {"docs.jsonl": b""})
    suite = suite_of("docs.jsonl")
    with pytest.raises(InputError, match="empty"):
        blocking_diagnostics(suite, Config(tmp_path, {"docs": suite}))


def test_an_id_is_not_mended_into_that_of_another_query(tmp_path: Path) -> None:
    """Two queries that can be told apart stay so, over all files; only a person can say."""
    row = {"query": "x", "relevant_ids": ["c1"]}
    write(
        tmp_path,
        {
            "a.jsonl": [
                {"query_id": 1, **row},
                {"query_id": "2 ", **row},
                {"query_id": "3 ", **row},
            ],
            "b.jsonl": [{"query_id": "1", **row}, {"query_id": 2, **row}],
        },
    )
    suite, selection = suite_of("a.jsonl", "b.jsonl"), default_selection(["RG106", "RG111"])
    result = lint(tmp_path, suite, selection)
    assert [(each.code, each.fix is not None) for each in result.diagnostics] == [
        ("RG111", False),
        ("RG106", False),
        ("RG106", True),
        ("RG111", False),
    ]
    assert result.diagnostics[0].hint == (
        "'1' is, or would be, the id of another query too: give one of them another id"
    )
    part = lint_part(tmp_path, suite, selection)
    fixing = Fixing([part], tmp_path)
    fixing.fix()
    (file,) = fixing.files
    before = (tmp_path / "a.jsonl").read_bytes()
    assert b"".join(file.parts()) == before.replace(b'"3 "', b'"3"')
    assert file.fixes == 1
