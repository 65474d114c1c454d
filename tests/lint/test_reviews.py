"""Labels that a person looked at: what has changed since, and what is due."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ragguard.config.model import Config
from ragguard.lint.engine import lint_config
from tests.lint.linting import EVERYTHING, VERSIONS, lint, suite_of, told, write

OPEN, CLOSED = "Open from nine to five.", "Closed on Sundays."


def digest(text: str) -> str:
    """As a row remembers it."""
    return sha256(text.encode()).hexdigest()


def found(tmp_path: Path, hashes: Any, *chunks: dict[str, Any], **fields: Any) -> list[str]:
    """What is told of one row that labels c1 and has these hashes."""
    row = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], **fields}
    write(
        tmp_path,
        {
            "docs.jsonl": [row | {"label_hashes": hashes}],
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": [*chunks],
        },
    )
    return told(lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl")))


PREFIX = (
    '{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "label_hashes": {"c1": '
)


@pytest.mark.parametrize(
    "chunk",
    [{"text": CLOSED}, {"sha256": digest(CLOSED)}, {"text": OPEN, "sha256": digest(CLOSED)}],
    ids=["text", "hash", "the hash counts"],
)
def test_another_text_than_was_reviewed_is_an_error_at_its_hash(
    chunk: dict[str, str], tmp_path: Path
) -> None:
    """By the manifest's hash, else by its text."""
    assert found(tmp_path, {"c1": digest(OPEN)}, {"id": "c1", **chunk}) == [
        f"1:{len(PREFIX) + 1} RG304 the text of 'c1' changed since its label was reviewed"
    ]
    same = {"c1": digest(CLOSED)}
    assert found(tmp_path, same, {"id": "c1", **chunk}) == []


def test_a_hash_is_compared_wherever_the_row_names_its_chunk(tmp_path: Path) -> None:
    """Judgments, evidence and forbidden ids."""
    chunks = [{"id": f"c{number}", "text": CLOSED} for number in (1, 2, 3)]
    hashes = {f"c{number}": digest(OPEN) for number in (1, 2, 3)}
    rows = {
        "relevant_ids": [],
        "judgments": {"c1": 1},
        "evidence": [["c2"]],
        "forbidden_ids": ["c3"],
    }
    assert [line.split()[1:5] for line in found(tmp_path, hashes, *chunks, **rows)] == [
        ["RG304", "the", "text", "of"]
    ] * 3


def test_a_hash_of_a_chunk_that_the_row_does_not_label_is_left_over(tmp_path: Path) -> None:
    """Though another row may label it; spans name no chunk, so nothing is said of them."""
    chunks = [{"id": "c1", "text": OPEN}, {"id": "c2", "text": OPEN}]
    hashes = {"c1": digest(OPEN), "c2": digest(OPEN)}
    (line,) = found(tmp_path, hashes, *chunks)
    assert line.endswith(" RG304 label_hashes has 'c2', which the row does not label")
    spans = [{"doc": "d", "start": 0, "end": 3}]
    assert found(tmp_path, hashes, *chunks, relevant_ids=[], spans=spans) == []


def test_a_manifest_that_knows_no_text_is_said_once_and_only_where_hashes_wait(
    tmp_path: Path,
) -> None:
    """A warning, for what was to be guarded is not."""
    hashes = {"c1": digest(OPEN), "c2": digest(OPEN)}
    both = {"relevant_ids": ["c1", "c2"]}
    (line,) = found(tmp_path, hashes, {"id": "c1"}, {"id": "c2"}, **both)
    assert line.startswith("1:1 RG304 ")
    assert line.endswith(
        "corpus.jsonl has neither sha256 nor text of 2 labelled chunks: "
        "what label_hashes says of them is not checked"
    )
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    assert [each.severity for each in result.diagnostics] == ["warning"]
    assert found(tmp_path, {}, {"id": "c1"}) == []


@pytest.mark.parametrize("hashes", [[1], "c1", {"c1": 5}, {"c1": "ab"}, {"c1": None}])
def test_what_is_no_hash_is_told_as_that_alone(hashes: Any, tmp_path: Path) -> None:
    """One finding, of the type."""
    (line,) = found(tmp_path, hashes, {"id": "c1", "text": OPEN})
    assert " RG102 " in line


def test_an_unknown_chunk_is_told_as_that_alone(tmp_path: Path) -> None:
    """Its hash says nothing more."""
    (line,) = found(tmp_path, {"c1": digest(OPEN)}, {"id": "zzzz", "text": OPEN})
    assert " RG301 " in line


@pytest.mark.parametrize(
    ("today", "told_of"),
    [
        ("2026-06-30", []),
        ("2026-07-01", ["2026-06-30, 1 day ago"]),
        ("2026-07-10", ["2026-06-30, 10 days ago", "2026-07-09, 1 day ago"]),
    ],
)
def test_a_day_of_review_is_overdue_on_the_day_after(
    today: str, told_of: list[str], tmp_path: Path
) -> None:
    """The day itself is the last on which the labels hold."""
    rows = [
        {"query_id": f"q{day}", "query": f"text {day}", "relevant_ids": ["c1"], "review_by": day}
        for day in ("2026-06-30", "2026-07-09", "2026-7-1", "2099-01-01")
    ]
    write(tmp_path, {"docs.jsonl": rows, "docs.meta.json": VERSIONS})
    config = Config(tmp_path, {"docs": suite_of("docs.jsonl")})
    result = lint_config(config, EVERYTHING, today=date.fromisoformat(today))
    overdue = [each for each in result.diagnostics if each.code == "RG405"]
    prefix = "the labels were to be reviewed by "
    assert [each.message.removeprefix(prefix) for each in overdue] == told_of
    assert {each.severity for each in overdue} <= {"warning"}
    line = '{"query_id": "q2026-06-30", "query": "text 2026-06-30", "relevant_ids": ["c1"], '
    assert all(each.location.column == len(line + '"review_by": ') + 1 for each in overdue)
