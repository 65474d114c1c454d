"""Digests say what differs between two evaluations, and nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from ragguard.dataset.query import Query
from ragguard.report.fingerprint import dataset_digest, digest, file_digest, labels_digest

ROWS: list[dict[str, Any]] = [
    {"query_id": "q1", "query": "one", "relevant_ids": ["a", "b"]},
    {"query_id": "q2", "query": "two", "evidence": [["a", "b"], ["c"]]},
]


def queries(*rows: dict[str, Any]) -> list[Query]:
    """The queries of these rows."""
    return [Query.from_row(row) for row in rows]


def test_the_order_of_rows_does_not_matter() -> None:
    """Nor which file they stand in."""
    for fingerprint in (dataset_digest, labels_digest):
        assert fingerprint(queries(*ROWS)) == fingerprint(queries(*reversed(ROWS)))


@pytest.mark.parametrize(
    "change",
    [{"query": "uno"}, {"category": "pay"}, {"weight": 2}, {"context": {"tenant": "x"}}],
)
def test_what_is_no_label_changes_the_dataset_alone(change: dict[str, Any]) -> None:
    """A reworded query is not relabelled."""
    changed = queries(ROWS[0] | change, ROWS[1])
    assert dataset_digest(changed) != dataset_digest(queries(*ROWS))
    assert labels_digest(changed) == labels_digest(queries(*ROWS))


@pytest.mark.parametrize(
    "change",
    [
        {"relevant_ids": ["a"]},
        {"relevant_ids": ["a", "B"]},
        {"forbidden_ids": ["z"]},
        {"answerable": False},
    ],
)
def test_a_label_changes_both(change: dict[str, Any]) -> None:
    """Relevant, forbidden, answerable."""
    changed = queries(ROWS[0] | change, ROWS[1])
    assert dataset_digest(changed) != dataset_digest(queries(*ROWS))
    assert labels_digest(changed) != labels_digest(queries(*ROWS))


def test_the_order_of_labels_does_not_matter_to_labels() -> None:
    """Ids, groups and members are sets."""
    turned = queries(
        ROWS[0] | {"relevant_ids": ["b", "a"]}, ROWS[1] | {"evidence": [["c"], ["b", "a"]]}
    )
    assert labels_digest(turned) == labels_digest(queries(*ROWS))


def test_a_digest_is_that_of_the_canonical_spelling() -> None:
    """Sorted keys, no spaces, ASCII."""
    expected = hashlib.sha256(b'{"a":1,"b":"\\u00fc"}').hexdigest()
    assert digest({"b": "ü", "a": 1}) == digest({"a": 1, "b": "ü"}) == expected


def test_a_file_is_digested_by_its_bytes(tmp_path: Path) -> None:
    """As sha256sum does."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"x" * 300_000)
    assert file_digest(path) == hashlib.sha256(b"x" * 300_000).hexdigest()
