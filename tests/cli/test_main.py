"""The edge: help, exit codes, colour, and faults that are nobody's data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragguard.cli import COMMANDS


def ragguard(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "ragguard", *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_help_lists_every_command_and_the_exit_codes(tmp_path: Path) -> None:
    """A newcomer sees all there is on one screen."""
    shown = ragguard("--help", cwd=tmp_path)
    assert shown.returncode == 0
    assert all(f"\n  {name} " in shown.stdout for name in COMMANDS)
    assert "130 interrupted" in " ".join(shown.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself_with_an_example(name: str, tmp_path: Path) -> None:
    """`--help` has a usage line and an example to copy."""
    shown = ragguard(name, "--help", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith(f"Usage: ragguard {name}")
    assert name == "action" or f"ragguard {name}" in shown.stdout.split("\n", 1)[1]


@pytest.mark.parametrize("arguments", [["lnit"], ["lint", "--no-such-option"]])
def test_wrong_usage_exits_2_and_names_what_is_wrong(arguments: list[str], tmp_path: Path) -> None:
    """A misspelt command or option is answered by its name."""
    shown = ragguard(*arguments, cwd=tmp_path)
    assert shown.returncode == 2
    assert arguments[-1] in shown.stderr


def test_a_missing_configuration_exits_2_with_the_way_out(tmp_path: Path) -> None:
    """No traceback, one line of error, one of hint."""
    (tmp_path / ".git").mkdir()
    shown = ragguard("eval", cwd=tmp_path)
    assert shown.returncode == 2
    assert shown.stderr.startswith("error: ")
    assert "--config" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_colour_obeys_pipes_and_the_environment(tmp_path: Path) -> None:
    """None into a pipe; FORCE_COLOR asks for it; NO_COLOR wins."""
    (tmp_path / ".git").mkdir()
    assert "\x1b[" not in ragguard("eval", cwd=tmp_path, NO_COLOR="", FORCE_COLOR="").stderr
    assert "\x1b[" in ragguard("eval", cwd=tmp_path, NO_COLOR="", FORCE_COLOR="1").stderr
    assert "\x1b[" not in ragguard("eval", cwd=tmp_path, NO_COLOR="1", FORCE_COLOR="1").stderr


def test_a_defect_says_that_it_is_one(tmp_path: Path) -> None:
    """An exception nobody foresaw is not mistaken for a finding."""
    code = (
        "import ragguard.cli as cli\n"
        "cli.ragguard_command.main = lambda *a, **k: 1 / 0\n"
        "cli.main([])\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 3
    assert "ZeroDivisionError" in shown.stderr
    assert "defect of ragguard" in shown.stderr


def in_shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line in which `ragguard` is this one."""
    return subprocess.run(
        ["bash", "-c", command.replace("ragguard ", f"{sys.executable} -m ragguard ", 1)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["--help", "rule", "rule RG301"])
def test_output_without_room_is_no_defect(command: str, tmp_path: Path) -> None:
    """A full disk behind `>` is told in one line, and is the user's to mend."""
    shown = in_shell(f"ragguard {command} > /dev/full", tmp_path)
    assert shown.returncode == 2
    assert shown.stderr == "error: cannot write the output: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="the shell of Windows closes no streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams_change_no_exit_code(closed: str, tmp_path: Path) -> None:
    """A daemon may start ragguard without any."""
    assert in_shell(f"ragguard rule RG301 {closed}", tmp_path).returncode == 0
    assert in_shell(f"ragguard rule RG999 {closed}", tmp_path).returncode == 2


def test_what_an_error_quotes_steers_no_terminal(tmp_path: Path) -> None:
    """Names of files and arguments may hold escapes; they are written out."""
    hostile = "\x1b[31m\x9b2J\u202e"
    for arguments in (["lint", hostile], ["rule", "RG301", hostile], ["lint", "--corpus", hostile]):
        shown = ragguard(*arguments, cwd=tmp_path, NO_COLOR="1", PYTHONUTF8="1")
        assert shown.returncode == 2
        assert "\\u009b2J\\u202e" in shown.stderr
        assert not {"\x1b", "\x9b", "\u202e"} & set(shown.stderr)
