"""A row in 16 bytes: enough to tell whether it asks another thing, or says one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ragguard.lint.suite.occurrence import near_key

_OF_A_REVIEW = frozenset({"dataset_version", "corpus_version", "review_by", "label_hashes"})
"""Fields that say when, and for what, a row was reviewed: with others it is the same row."""

_HALF = 8
"""Bytes of each of the two digests."""


def row_print(fields: Mapping[str, Any]) -> bytes:
    """Two digests of a canonical row, one after the other.

    The first is of its query, whatever the case, white space and punctuation; the second of
    everything but what is said of its review.
    """
    content = {name: value for name, value in fields.items() if name not in _OF_A_REVIEW}
    query = fields.get("query")
    # A query that is no text is like any other that is none: another rule tells of it.
    text = near_key(query) if isinstance(query, str) else ""
    return _digest(text) + _digest(json.dumps(content, sort_keys=True))


def is_reworded(one: bytes, other: bytes) -> bool:
    """Whether two prints are of rows that ask with other words."""
    return one[:_HALF] != other[:_HALF]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HALF).digest()
