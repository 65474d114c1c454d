"""`ragguard rule` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

from ragguard.lint.registry import RULES
from tests.cli.test_main import ragguard


def test_all_rules_are_listed(tmp_path: Path) -> None:
    """One line each, by code."""
    lines = ragguard("rule", cwd=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]
    assert any(line.endswith("A line is blank. (warning, safe fix)") for line in lines)


def test_one_rule_is_explained_by_code_or_name(tmp_path: Path) -> None:
    """Its documentation under its code and name."""
    shown = ragguard("rule", "RG301", cwd=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith("RG301 unknown-chunk-id (unsafe fix)\n\nA label names a chunk")
    assert ragguard("rule", "unknown-chunk-id", cwd=tmp_path).stdout == shown.stdout
    assert ragguard("rule", "rg301", cwd=tmp_path).stdout == shown.stdout


def test_rules_are_given_as_json(tmp_path: Path) -> None:
    """All, or one."""
    every = json.loads(ragguard("rule", "--format", "json", cwd=tmp_path).stdout)
    assert [rule["code"] for rule in every] == [rule.code for rule in RULES]
    one = json.loads(ragguard("rule", "RG111", "--format", "json", cwd=tmp_path).stdout)
    assert one in every
    assert (one["severity"], one["fixable"]) == ("error", True)


def test_an_unknown_rule_exits_2_with_the_nearest(tmp_path: Path) -> None:
    """A slip is answered by what was meant."""
    shown = ragguard("rule", "RG3O1", cwd=tmp_path)
    assert shown.returncode == 2
    assert "there is no lint rule 'RG3O1'" in shown.stderr
    assert "did you mean RG301?" in shown.stderr
