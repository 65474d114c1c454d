"""What is installed works: the wheel and the sdist carry schemas and example, and run."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCHEMAS = {path.name for path in (ROOT / "schemas").glob("*.schema.json")}

pytestmark = pytest.mark.slow


def run(*arguments: str | Path, cwd: Path) -> str:
    """Run a command, show what it said when it fails, and return its output."""
    done = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of this tree, and the wheel made from that sdist."""
    target = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", target, ROOT, cwd=target)
    return target


def test_the_wheel_carries_schemas_and_example(built: Path) -> None:
    """Nothing the program reads at run time stays behind in the repository."""
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"ragguard/_data/schemas/{name}" for name in SCHEMAS} <= names
    assert "ragguard/_data/examples/ragguard.yml" in names
    assert "ragguard/py.typed" in names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_sdist_can_be_built_and_tested_from(built: Path) -> None:
    """Packagers find schemas, example and tests in it."""
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"schemas/{name}" for name in SCHEMAS} <= names
    assert {"examples/ragguard.yml", "tests/test_packaging.py", "LICENSE"} <= names


def test_the_installed_wheel_runs_the_demo(built: Path, tmp_path: Path) -> None:
    """In an environment of its own, away from the checkout, the whole chain runs."""
    (wheel,) = built.glob("*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    scripts = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    assert "critical" in run(scripts / "ragguard", "demo", "--output", "demo", cwd=tmp_path)
    assert (tmp_path / "demo" / "comment.md").is_file()


def test_this_editable_install_finds_its_data() -> None:
    """A checkout reads the files at the top of the repository."""
    from ragguard.resources import examples, schema

    assert schema("config")["title"] == "ragguard.yml"
    assert examples() == ROOT / "examples"
