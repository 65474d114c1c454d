"""Digests by which a comparison tells what moved between two evaluations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ragguard.dataset.query import Query


def digest(value: Any) -> str:
    """SHA-256 of a JSON value in one canonical spelling (sorted keys, no spaces, ASCII)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def dataset_digest(queries: Iterable[Query]) -> str:
    """Over all rows as read, whatever their order."""
    return digest(sorted(digest(query.row) for query in queries))


def labels_digest(queries: Iterable[Query]) -> str:
    """Over the labels by query id, whatever the order of rows, ids or groups."""
    return digest({query.query_id: _labels(query) for query in queries})


def _labels(query: Query) -> Mapping[str, Any]:
    labels = query.labels
    return {
        "relevant_ids": sorted(labels.relevant_ids),
        "judgments": dict(labels.judgments),
        "evidence": sorted(sorted(group) for group in labels.evidence),
        "answerable": query.answerable,
        "forbidden_ids": sorted(query.forbidden_ids),
    }
