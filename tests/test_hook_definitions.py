"""What `.pre-commit-hooks.yaml` promises; tests/e2e/test_hooks.py runs it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from ragguard.cli.lint_command import command

ROOT = Path(__file__).resolve().parents[1]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
IDS = [hook["id"] for hook in HOOKS]


@pytest.mark.parametrize("hook", HOOKS, ids=IDS)
def test_every_hook_is_a_command_that_takes_names_as_names(hook: dict[str, Any]) -> None:
    """Also those that begin with a dash; one process at a time, for it may write."""
    program, name, *options = [*hook["entry"].split(), *hook["args"]]
    assert (program, name) == ("ragguard", "lint")
    parsed = command.make_context(name, [*options, "-x.jsonl"], resilient_parsing=True)
    assert isinstance(parsed, click.Context)
    assert parsed.params["paths"] == (Path("-x.jsonl"),)
    assert parsed.params["by_hook"] is True
    assert hook["require_serial"] is True


@pytest.mark.parametrize(
    ("name", "is_asked"),
    [
        ("eval/docs.jsonl", True),
        ("eval/docs.jsonl.gz", True),
        ("eval/docs.meta.json", True),
        ("chunks.csv", True),
        ("a/b/ids-2026.txt.gz", True),
        ("table.tsv", True),
        ("ragguard.yml", True),
        ("app/ragguard.yml", True),
        ("ragguard-ignores.yml", True),
        ("not-ragguard.yml", False),
        ("app.py", False),
        ("README.md", False),
    ],
)
def test_the_hooks_run_for_what_can_be_a_file_of_a_suite(name: str, is_asked: bool) -> None:
    """Whatever its name; runners search the pattern in the path."""
    for hook in HOOKS[:2]:
        assert bool(re.search(hook["files"], name)) is is_asked
    is_configuration = name in {"ragguard.yml", "app/ragguard.yml", "ragguard-ignores.yml"}
    assert bool(re.search(HOOKS[2]["files"], name)) is is_configuration


def test_the_page_on_linting_names_every_hook() -> None:
    """And nothing that is none."""
    page = (ROOT / "docs/linting.md").read_text("utf-8")
    assert re.findall(r"^\| `(ragguard-\w+)` \|", page, re.MULTILINE) == IDS
