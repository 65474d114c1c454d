"""The short way into an evaluation passes nothing that a blocking rule would stop."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.config.model import Config, Scoring, Suite
from ragguard.dataset.lines import SourceLine
from ragguard.dataset.loading import DoubtfulLineError, ReadLine, load_suite
from ragguard.errors import InputError
from ragguard.lint.engine import blocking_diagnostics
from ragguard.lint.plain.sound_line import sound_line
from ragguard.metrics.name import Metric

SUITE = Suite("docs", ("rows.jsonl",), Scoring(primary=Metric("evidence", 5)))
GOOD = b'{"query_id": "q1", "query": "?", "relevant_ids": ["a"]}\n'

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(alphabet='a "\\{}é', max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=2), inner),
    max_leaves=4,
)
ROWS = st.dictionaries(
    st.sampled_from(["query_id", "query", "relevant_ids", "judgments", "evidence", "answerable"]),
    VALUES,
)


def passes(folder: Path, content: bytes) -> bool:
    """Whether the short way loads a dataset of these bytes."""
    (folder / "rows.jsonl").write_bytes(content)
    try:
        load_suite(SUITE, folder, sound_line(SUITE))
    except DoubtfulLineError:
        return False
    return True


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD + GOOD,
        GOOD + b"[]\n",
        GOOD + b'{"query_id": "q2", "query": " ", "relevant_ids": ["a"]}\n',
        GOOD + b'{"query_id": "q2", "query": "?", "relevant_ids": [1]}\n',
        GOOD + b'{"query_id": "q2", "query": "\xff", "relevant_ids": ["a"]}\n',
        GOOD + b'{"query_id": "q2", "query": "?", "query": "!", "relevant_ids": ["a"]}\n',
    ],
)
def test_what_a_blocking_rule_stops_is_doubted(tmp_path: Path, content: bytes) -> None:
    """A mark, twins, no object, a blank query, a number for an id, bytes, a key twice."""
    assert not passes(tmp_path, content)
    assert blocking_diagnostics(SUITE, Config(tmp_path, {"docs": SUITE}))


def test_what_is_in_order_passes(tmp_path: Path) -> None:
    """Blank lines and a missing newline at the end stop no evaluation."""
    assert passes(tmp_path, GOOD)
    assert passes(tmp_path, b"\n" + GOOD.rstrip())


@given(st.lists(ROWS, min_size=1, max_size=3))
def test_nothing_passes_that_the_linter_blocks(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    """Any rows: the short way is never laxer than the rules."""
    import json

    folder = tmp_path_factory.getbasetemp()
    content = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    try:
        passed = passes(folder, content)
    except InputError:
        return
    if passed:
        assert not blocking_diagnostics(SUITE, Config(folder, {"docs": SUITE}))


def test_a_blank_line_is_no_doubt() -> None:
    """It holds no row, and nothing of one."""
    assert sound_line(SUITE)(ReadLine(SourceLine(2, 10, b"  "), "", None))
