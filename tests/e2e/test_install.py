"""The scripts that make ragguard's own environment in the action."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.project import CACHE, PROJECT

pytestmark = pytest.mark.e2e


class Runner:
    """Runs the action's scripts as the runner would, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base = getattr(sys, "_base_executable", sys.executable)

    def run(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """A script of the action with these variables."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment = kept | {
            "GITHUB_ACTION_PATH": str(PROJECT),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "RUNNER_TEMP": str(self.folder),
            "PIP_CACHE_DIR": str(CACHE / "pip"),
            **variables,
        }
        return subprocess.run(
            ["bash", str(PROJECT / ".github" / "action" / script)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def install(self, cache_hit: str = "") -> subprocess.CompletedProcess[str]:
        """The environment, made anew."""
        return self.run(
            "install.sh",
            RAGGUARD_PYTHON=self.base,
            RAGGUARD_WHEELS=str(self.folder / "wheels"),
            RAGGUARD_ENVIRONMENT=str(self.folder / "environment"),
            RAGGUARD_CACHE_HIT=cache_hit,
        )

    @property
    def outputs(self) -> dict[str, str]:
        """What the scripts wrote."""
        lines = (self.folder / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with a temporary folder of its own."""
    return Runner(tmp_path)


def test_a_tampered_cache_is_refused_and_fetched_again(runner: Runner) -> None:
    """What the cache gives back is held to the same hashes as what is downloaded."""
    first = runner.install()
    assert first.returncode == 0, first.stderr
    wheels = sorted((runner.folder / "wheels").glob("*.whl"))
    assert {"click", "ghapi"} <= {wheel.name.split("-")[0] for wheel in wheels}
    wheels[0].write_bytes(wheels[0].read_bytes() + b"\0")
    again = runner.install(cache_hit="true")
    assert again.returncode == 0, again.stderr
    assert "not the pinned ones" in again.stdout
    own = runner.outputs["python"]
    shown = subprocess.run(
        [own, "-I", "-m", "ragguard", "--version"],
        cwd=runner.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.startswith("ragguard ")
    inner = "import click, ragguard; print(ragguard.__file__)"
    found = subprocess.run([own, "-I", "-c", inner], capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(PROJECT)


def test_an_interpreter_that_will_not_do_is_named(runner: Runner) -> None:
    """No traceback of a failing import later on."""
    done = runner.run("prepare.sh", RAGGUARD_PYTHON="python2.7")
    assert done.returncode == 2
    assert "::error title=ragguard::input python: 'python2.7'" in done.stdout


def test_the_key_of_the_cache_names_what_it_depends_on(runner: Runner) -> None:
    """System, machine, Python, pins."""
    done = runner.run("prepare.sh", RAGGUARD_PYTHON=runner.base)
    assert done.returncode == 0, done.stderr
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert runner.outputs["key"].startswith(f"ragguard-wheels-{sys.platform}-")
    assert f"-{version}-" in runner.outputs["key"]
    assert runner.outputs["python"] == runner.base


@pytest.mark.parametrize(("code", "status"), [("0", 0), ("1", 1), ("3", 3), ("", 3)])
def test_the_last_step_ends_as_ragguard_did(runner: Runner, code: str, status: int) -> None:
    """A run that left no code is no pass."""
    done = runner.run("finish.sh", RAGGUARD_CODE=code, RAGGUARD_KEPT="success")
    assert done.returncode == status
    assert not done.stdout


def test_a_report_that_could_not_be_kept_is_said(runner: Runner) -> None:
    """Two jobs with one id."""
    done = runner.run(
        "finish.sh",
        RAGGUARD_CODE="0",
        RAGGUARD_KEPT="failure",
        RAGGUARD_ARTIFACT="ragguard-report-x",
    )
    assert done.returncode == 0
    assert done.stdout.startswith("::warning title=ragguard::")
    assert "ragguard-report-x" in done.stdout
