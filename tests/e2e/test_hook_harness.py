"""The hook harness itself, shown with a small hook of its own in the place of ragguard's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.hooks import Hooks, consumer_repository
from tests.e2e.project import PROJECT, committed_snapshot, git

pytestmark = pytest.mark.e2e

HOOKS = """\
- id: small
  name: small
  entry: small.sh
  language: script
  files: \\.jsonl$
  types: [text]
"""
SCRIPT = """\
#!/bin/sh
echo "called with $*; venv ${VIRTUAL_ENV-none}; home $PRE_COMMIT_HOME"
for file in "$@"; do
  grep -q bad "$file" && exit 1
  sed -i s/old/new/ "$file"
done
exit 0
"""


@pytest.fixture
def hooks(tmp_path: Path) -> Hooks:
    """A project of one hook that refuses "bad" and turns "old" into "new"."""
    project = consumer_repository(tmp_path / "project", {".pre-commit-hooks.yaml": HOOKS})
    (project / "small.sh").write_text(SCRIPT)
    (project / "small.sh").chmod(0o755)
    git(project, "add", "--all")
    git(project, "commit", "-q", "-m", "A hook")
    return Hooks(project, tmp_path / "home")


@pytest.mark.parametrize("way", ["try_repo", "run"])
def test_hook_sees_the_asked_files_of_its_type_and_its_exit_code_counts(
    hooks: Hooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Both ways call the hook on the JSON Lines files alone, pass, and fail on a bad one."""
    monkeypatch.setenv("VIRTUAL_ENV", "leak")
    files = {"a.jsonl": "good\n", "b.txt": "bad\n", "c.jsonl": "bad\n"}
    consumer = consumer_repository(tmp_path / "consumer", files)
    call = getattr(hooks, way)
    passed = call(consumer, "small", ["a.jsonl", "b.txt"])
    assert passed.exit_code == 0, passed.output
    assert "called with a.jsonl; venv none; home " + str(hooks.home) in passed.output
    failed = call(consumer, "small", ["a.jsonl", "c.jsonl"])
    assert failed.exit_code == 1
    assert "small" in failed.output
    assert "Failed" in failed.output


def test_changed_file_fails_the_run_and_stays_changed(hooks: Hooks, tmp_path: Path) -> None:
    """A fixing hook that changed something makes exit 1, as at a commit; once more, it passes."""
    consumer = consumer_repository(tmp_path / "consumer", {"a.jsonl": "old\n"})
    changed = hooks.run(consumer, "small", ["a.jsonl"])
    assert changed.exit_code == 1
    assert "files were modified by this hook" in changed.output
    assert (consumer / "a.jsonl").read_text() == "new\n"
    git(consumer, "add", "a.jsonl")
    assert hooks.run(consumer, "small", ["a.jsonl"]).exit_code == 0


def test_snapshot_of_the_project_is_a_committed_repository_without_caches(tmp_path: Path) -> None:
    """What pre-commit clones has the project's files and nothing that git ignores."""
    copy = committed_snapshot(tmp_path / "copy")
    names = git(copy, "ls-files").split("\n")
    assert "pyproject.toml" in names
    assert "tests/e2e/hooks.py" in names
    assert (copy / "pyproject.toml").read_bytes() == (PROJECT / "pyproject.toml").read_bytes()
    assert not [name for name in names if name.startswith((".venv/", ".cache/", ".git/"))]
    assert git(copy, "status", "--porcelain") == ""
    assert git(copy, "describe", "--tags") == "v1"
    assert not os.path.lexists(copy / ".venv")
