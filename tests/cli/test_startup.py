"""What a hook waits for: nothing is loaded that a clean dataset does not need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.linting import VERSIONS, write

SLOW = {
    "ghapi",
    "gzip",
    "hashlib",
    "difflib",
    "jsonschema",
    "msgspec",
    "ragguard.corpus",
    "ragguard.evaluation",
    "ragguard.github",
    "ragguard.lint.excerpts",
    "random",
    "subprocess",
    "tabulate",
    "tempfile",
}
SCRIPT = """
import json, sys
from ragguard.__main__ import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("arguments", [["lint"], ["lint", "docs.jsonl"], ["lint", "--hook", "."]])
def test_a_clean_dataset_loads_nothing_slow(tmp_path: Path, arguments: list[str]) -> None:
    """Of what takes long to load, what is not used is not loaded."""
    row = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
    configuration = "version: 1\nsuites:\n  docs: {dataset: docs.jsonl}\n"
    files = {"docs.jsonl": [row], "docs.meta.json": VERSIONS, "ragguard.yml": configuration}
    write(tmp_path, dict(files))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = json.loads(done.stderr.splitlines()[-1])
    assert "ragguard.lint.engine" in loaded
    assert SLOW.isdisjoint(loaded), sorted(SLOW.intersection(loaded))
