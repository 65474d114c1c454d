"""A newcomer who follows CONTRIBUTING gets what it promises."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.lint.linting import VERSIONS, write

ROOT = Path(__file__).resolve().parents[1]


def test_a_rule_is_one_file_and_one_line(tmp_path: Path) -> None:
    """The rule that is shown there runs, and explains itself, once its file and line are there."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (rule,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (line,) = re.findall(r'^```\n(    "\w+",\n)```', page, re.MULTILINE)
    shutil.copytree(ROOT / "ragguard", tmp_path / "ragguard")
    lint = tmp_path / "ragguard" / "lint"
    (lint / "rules" / f"{line.strip().strip(',')[1:-1]}.py").write_text(rule, "utf-8")
    registry = (lint / "registry.py").read_text("utf-8")
    before = '    "bad_configuration",\n'
    assert registry.count(before) == 1
    (lint / "registry.py").write_text(registry.replace(before, line + before), "utf-8")
    row = {"query_id": "q1", "query": "OPENING HOURS", "relevant_ids": ["c1"]}
    write(tmp_path, {"docs.jsonl": [row], "docs.meta.json": VERSIONS})
    found = ragguard(tmp_path, "lint", "--select", "RG599", "--format", "concise", "docs.jsonl")
    assert "docs.jsonl:1:29: RG599 the query is in capitals (warning)" in found
    assert "RG599 shouted-query" in ragguard(tmp_path, "rule", "RG599")


def ragguard(folder: Path, *arguments: str) -> str:
    """What a command of the copy prints."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "ragguard", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
