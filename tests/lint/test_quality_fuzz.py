"""Rules of quality over rows of any kind: no traceback, places inside the line, no row changed."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ragguard.lint.selection import Selection
from tests.lint.hostile import ROWS
from tests.lint.linting import VERSIONS, lint, suite_of, write

QUALITY = Selection.of(["RG5"])
ADDRESS, GOLD = "jane.roe@tallyhaven.io", "DOC_REG_001"
CHUNKS = [{"id": "c1", "text": "one two three four five six seven eight nine ten"}, {"id": GOLD}]
PIECES = st.sampled_from(
    [ADDRESS, GOLD, "question 1", "{{topic}}", "one two three four five six seven eight", '"', "\\"]
)
QUERIES = st.lists(st.one_of(st.text(max_size=8), PIECES), max_size=5).map(" ".join)
ASCII = st.booleans()


def found(content: str) -> list[Any]:
    """What the rules find in a dataset with a corpus."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, {"docs.jsonl": content, "docs.meta.json": VERSIONS, "manifest.jsonl": CHUNKS})
        result = lint(folder, suite_of("docs.jsonl", corpus="manifest.jsonl"), QUALITY)
        assert result.faults == ()
        return list(result.diagnostics)


@given(QUERIES, ASCII)
@settings(max_examples=200, deadline=None)
def test_a_finding_points_at_what_it_names(query: str, ascii_only: bool) -> None:
    """However the query is escaped; what stands in the query is found wherever it stands."""
    row = {"query_id": "q1", "query": query, "relevant_ids": ["c1", GOLD]}
    line = json.dumps(row, ensure_ascii=ascii_only)
    if not ascii_only:
        line = line.encode("utf-8", "ignore").decode()
    for each in found(line + "\n"):
        assert each.location.line == 1
        rest = line[each.location.column - 1 :]
        if each.code == "RG502":
            assert rest.startswith(GOLD)
        elif each.message.endswith("an e-mail address"):
            assert "@" in rest
            assert ADDRESS not in each.message
        elif each.code == "RG501":
            assert rest.startswith("one two")


@given(st.lists(ROWS, min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_rows_of_any_values_are_looked_at(rows: list[dict[str, Any]]) -> None:
    """Fields of any type, ids that are none, lone surrogates."""
    content = "".join(json.dumps(row) + "\n" for row in rows)
    lines = content.split("\n")
    for each in found(content):
        assert each.location.column <= len(lines[each.location.line - 1]) + 1
        assert "\n" not in each.message
