"""Real datasets made by others: how many findings of which code are right, counted twice.

`tests/lint/real/datasets.yml` states for each dataset what the linter has to find with every rule
selected. The counts were made by reading the data; what a few lines can count without ragguard is
counted again here for all datasets, and in test_real_faults.py for single ones.
"""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest

from ragguard.config.reading import read_config
from ragguard.dataset.imports.qrels import read_qrels
from ragguard.dataset.imports.queries import read_queries
from ragguard.dataset.imports.table import import_tables
from ragguard.dataset.imports.table_options import TableOptions
from ragguard.errors import InputError
from ragguard.lint.engine import lint_config
from ragguard.lint.selection import Selection
from ragguard.lint.targets import lone_config
from tests.lint.real.building import DATASETS, build
from tests.lint.real.finding import ALL, counts, lines, lint
from tests.lint.real.originals import (
    folded,
    repeated,
    words,
)
from tests.shared_data import shared

pytestmark = pytest.mark.slow

ALIKE = ("RG201", "RG202", "RG203", "RG204")


@pytest.mark.parametrize("name", DATASETS)
def test_the_findings_are_those_that_are_right(name: str, tmp_path: Path) -> None:
    """With every rule selected: none is missing, and none is noise."""
    result = lint(name, tmp_path)
    assert not result.faults
    right = DATASETS[name]["findings"]
    assert counts(result) == right
    assert not {"RG901", "RG902"} & counts(result).keys()


@pytest.mark.parametrize("name", DATASETS)
def test_queries_that_stand_twice_are_all_found(name: str, tmp_path: Path) -> None:
    """As many as have the folded text and the context of an earlier one."""
    config = build(name, tmp_path)
    codes = ("RG2",)
    found = counts(lint_config(read_config(config), Selection.of(codes)))
    keys = []
    fields = DATASETS[name].get("fields", {}) if "rows" in DATASETS[name] else {}
    for line in (tmp_path / "eval.jsonl").read_text("utf-8").split("\n"):
        if line.startswith("{"):
            row = json.loads(line)
            query = row.get(fields.get("query", "query"))
            if query is not None:
                keys.append((folded(query), json.dumps(row.get("context"), sort_keys=True)))
    if name == "fitness-assistant-id-as-query":
        assert (found["RG201"], found["RG202"]) == (828, repeated(keys))
    else:
        assert sum(found.get(code, 0) for code in ALIKE) == repeated(keys)


@pytest.mark.parametrize("name", ["llm-zoomcamp", "finetune-embedding", "lab14", "arcd"])
def test_wording_is_leaked_where_words_in_a_row_say_so(name: str, tmp_path: Path) -> None:
    """Eight words in a row, half of the query; what is quoted or a pasted error is let pass."""
    found = set(lines(lint(name, tmp_path), "RG501"))
    path = tmp_path / "manifest.jsonl"
    chunks = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    texts = {chunk["id"]: f" {' '.join(words(chunk['text']))} " for chunk in chunks}
    repeating = {}
    for number, line in enumerate((tmp_path / "eval.jsonl").read_text("utf-8").split("\n")[:-1], 1):
        row = json.loads(line)
        query = row.get("query") or row.get("question") or ""
        labels = row.get("relevant_ids") or row.get("expected_retrieval_ids") or []
        asked = words(query)
        needed = max(8, (len(asked) + 1) // 2)
        runs = [f" {' '.join(asked[n : n + needed])} " for n in range(len(asked) - needed + 1)]
        if any(run in texts.get(label, "") for run in runs for label in labels):
            repeating[number] = query
    assert found <= repeating.keys()
    for number in repeating.keys() - found:
        assert re.search(r"['\"`]|error\b|fatal", repeating[number], re.IGNORECASE), number


def test_whatever_file_is_given_there_is_no_traceback() -> None:
    """Every file up to 300 kB, taken for a dataset, a table, qrels and queries."""
    files = sorted(path for path in shared("data").rglob("*") if path.is_file())
    small = [path for path in files if path.stat().st_size < 300_000]
    assert len(small) > 80
    for path in small:
        result = lint_config(lone_config(path, None), ALL)
        assert result.diagnostics or result.faults or result.rows, path
        imported = import_tables([(path, path.name)], TableOptions())
        assert imported.rows or imported.faults, path
        for read in (read_qrels, read_queries):
            with contextlib.suppress(InputError):
                assert read(path, path.name), path
