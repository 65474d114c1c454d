"""Rows, lines and suites that nobody should write, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from ragguard.dataset.mapping import CANONICAL_FIELDS

HASH = "a" * 64
SOUND: Mapping[str, Any] = {
    "query_id": "q1",
    "query": "opening hours",
    "relevant_ids": ["c1", "c2"],
    "forbidden_ids": ["c3"],
    "critical": True,
    "weight": 2,
}
GRADED: Mapping[str, Any] = {
    "query_id": "q2",
    "query": "late fees",
    "judgments": {"c1": 2, "c2": 0},
    "label_hashes": {"c1": HASH},
    "context": {"as_of": "2026-01-31"},
    "review_by": "2020-01-01",
}
GROUPED: Mapping[str, Any] = {
    "query_id": "q3",
    "query": "Opening  hours?",
    "evidence": [["c1", "doc/c4"], ["c5"]],
    "split": "dev",
    "origin": "synthetic",
}
CORPUS: list[Mapping[str, Any]] = [
    {"id": "c1", "text": "The opening hours are nine to five.", "sha256": HASH},
    {"id": "c2", "text": "late fees", "parent_id": "doc"},
    {"id": "c3", "status": "withdrawn"},
    {"id": "doc/c4", "status": "superseded", "superseded_by": "c5", "parent_id": "doc"},
    {"id": "c5", "parent_id": "doc", "effective_from": "2025-01-01"},
    {"id": "é", "title": "É"},
    {"id": "c2", "text": "twice"},
]
_NEAR = ["c1", "c2", " c1", "C1", "doc/c4", "c4", "DOC/C4", "c5", "é", "e\u0301", "dok/c4", "1"]
_ODD = ["c1\t", "doc", "", " ", "É", "a b", "c\x00", "\ud800", "\u2028", "q1", "nothing", "x" * 300]
NEAR_IDS = st.sampled_from(_NEAR)
IDS = st.sampled_from([*_NEAR, *_ODD])
TEXTS = st.one_of(
    IDS,
    st.sampled_from(["opening hours", "Opening Hours", "question 1", "me@example.org", "[q1]"]),
    st.text(max_size=12),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(IDS, inner, max_size=3)),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [*CANONICAL_FIELDS, "citical", "queryId", "relevant_idz", "judgement", "metadata", "id", "x"]
)
_LIST = st.lists(st.one_of(NEAR_IDS, NEAR_IDS, IDS), min_size=1, max_size=4)
_HASHES = st.dictionaries(NEAR_IDS, st.just(HASH), max_size=3)
LABELS = st.one_of(
    st.fixed_dictionaries({"relevant_ids": _LIST}, optional={"label_hashes": _HASHES}),
    st.fixed_dictionaries({"judgments": st.dictionaries(IDS, st.integers(-1, 3), max_size=4)}),
    st.fixed_dictionaries(
        {"judgments": st.dictionaries(NEAR_IDS, st.just(1), min_size=1, max_size=4)},
        optional={"label_hashes": _HASHES, "forbidden_ids": _LIST},
    ),
    st.fixed_dictionaries({"evidence": st.lists(_LIST, max_size=3)}),
    st.fixed_dictionaries({"relevant_idz": _LIST}),
    st.fixed_dictionaries({"relevant_ids": _LIST, "forbiden_ids": _LIST}),
)
ASKED = st.fixed_dictionaries(
    {"query_id": st.one_of(st.sampled_from(["q1", "q2 ", "q3", 4, "4"]), TEXTS)},
    optional={"query": st.sampled_from(["opening hours", "Opening hours", "fees", "a\u2028b"])},
)
ROWS = st.builds(
    lambda base, asked, labels, changed: {**base, **asked, **labels, **changed},
    st.sampled_from([{"query": "x"}, {"query": "x"}, SOUND, GRADED, GROUPED, {}]),
    ASKED,
    LABELS,
    st.one_of(st.just({}), st.just({}), st.dictionaries(NAMES, VALUES, max_size=2)),
)
STYLES = st.sampled_from([(", ", ": "), (",", ":"), (" , ", " :\t")])
ENDS = st.sampled_from([b"\n"] * 6 + [b"\r\n", b"\n\n", b"\n \r\n", b" \n"])


def encoded(row: Mapping[str, Any], separators: tuple[str, str], is_ascii: bool) -> bytes:
    """A row as JSON, NaN and lone surrogates included."""
    text = json.dumps(row, separators=separators, ensure_ascii=is_ascii)
    return text.encode("utf-8", "surrogatepass")


def damaged(line: bytes, at: int, removed: int, inserted: bytes) -> bytes:
    """A line with bytes taken out and put in somewhere."""
    at %= len(line) + 1
    return line[:at] + inserted + line[at + removed :]


SOUND_LINES = st.builds(encoded, ROWS, STYLES, st.booleans())
DAMAGED_LINES = st.builds(
    damaged, SOUND_LINES, st.integers(0, 500), st.integers(0, 3), st.binary(max_size=3)
)
LINES = st.one_of(*[SOUND_LINES] * 6, DAMAGED_LINES, st.binary(max_size=30))
FILES = st.builds(
    lambda mark, lines, is_ended: (
        mark + b"".join(line + end for line, end in lines)[: None if is_ended else -1]
    ),
    st.sampled_from([b"", b"", b"\xef\xbb\xbf"]),
    st.lists(st.tuples(LINES, ENDS), min_size=1, max_size=4),
    st.booleans(),
)


def odd_row(query: str = '"x"', labels: str = '"c1"', more: str = "") -> bytes:
    """A row of which some part is odd."""
    return f'{{"query_id": "q", "query": {query}, "relevant_ids": [{labels}]{more}}}'.encode()


ODD_LINES: Mapping[str, bytes] = {
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep in a row": odd_row(more=f', "a": {"[" * 5000}{"]" * 5000}'),
    "brackets in a text": odd_row(f'"{"[" * 999}"'),
    "a long integer": b'{"query_id": %b, "query": "x", "relevant_ids": ["c1"]}' % (b"9" * 10_000),
    "a long fraction": odd_row(more=f', "weight": 0.{"9" * 10_000}'),
    "a long exponent": odd_row(more=f', "weight": 1e{"9" * 10_000}'),
    "a long integer among labels": odd_row(labels="1" * 10_000),
    "a long grade": b'{"query_id": "q", "query": "x", "judgments": {"c1": %b}}' % (b"1" * 299),
    "half a pair": odd_row('"\\udc00 x"', '"\\ud83d"'),
    "half a pair in a key": b'{"query_id": "q", "query": "x", "judgments": {"\\ud800": 1}}',
    "half a pair as bytes": odd_row().replace(b"x", b"\xed\xa0\x80"),
    "key twice": odd_row(more=', "query_id": "r", "x": {"a": 1, "a": 2}'),
    "key twice escaped": b'{"query_id": "q", "query\\u005fid": "r", "relevant_ids": ["c1"]}',
    "judgment twice": b'{"query_id": "q", "query": "x", "judgments": {"c1": 1, "c1": 2, " c1": 3}}',
    "line separators": odd_row('"a\u2028b\u2029c\x85d"', '"c1 "'),
    "other line ends": b'{"query_id": "q", "query": "x",\r "relevant_ids":\x0b ["c1"]}\x0c',
    "null bytes": odd_row('"\x00"'),
    "UTF-16": '{"query_id": "q", "query": "x"}'.encode("utf-16"),
    "marks everywhere": b"\xef\xbb\xbf" * 3 + b'{"query_id": "\xef\xbb\xbf"}',
    "not a number": odd_row("NaN", "NaN, -Infinity", ', "weight": Infinity'),
    "an escaped id": odd_row(labels='"\\u0020c1\\t", "\\u00431"'),
    "gzip": b"\x1f\x8b\x08\x00not really",
    "many labels": odd_row(labels=", ".join(f'"c{number}"' for number in range(20_000))),
    "many twins": odd_row(labels=", ".join(['"c1 "'] * 2_000)),
}
"""Lines of kinds that broke some reader, by what is odd in them."""
