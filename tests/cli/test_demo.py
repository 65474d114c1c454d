"""`ragguard demo`: the chain from the first command to the comment."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ragguard.cli.demo_command import command
from ragguard.errors import UsageError
from tests.cli.test_main import ragguard


def test_the_demo_shows_the_chain_and_leaves_its_files(tmp_path: Path) -> None:
    """Exit 0, though a gate fails in it: that is the point."""
    shown = ragguard("demo", "--output", "demo", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "audit-log-format  rank 2 → 14" in shown.stdout
    assert "- search: {}" in shown.stdout
    assert {"base.jsonl", "head.jsonl", "comment.md"} <= {
        path.name for path in (tmp_path / "demo").iterdir()
    }


def test_the_demo_can_be_run_again(tmp_path: Path) -> None:
    """It begins with the good search, whatever the last run left."""
    for _ in range(2):
        shown = ragguard("demo", "--output", "demo", cwd=tmp_path)
        assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize("name", ["x" * 300, "occupied", "file"])
def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, name: str) -> None:
    """Too long a name, a folder of something else, a file: nothing is touched."""
    (tmp_path / "occupied").mkdir()
    (tmp_path / "occupied" / "mine.txt").write_text("keep")
    (tmp_path / "file").write_text("keep")
    result = CliRunner().invoke(command, ["--output", str(tmp_path / name)])
    assert result.exit_code == 2 or isinstance(result.exception, UsageError)
    assert (tmp_path / "occupied" / "mine.txt").read_text() == "keep"
    assert [path.name for path in (tmp_path / "occupied").iterdir()] == ["mine.txt"]
