"""Run the project's hooks for real, by pre-commit and by prek, in a repository of a consumer.

Either clones the project from a folder, makes the hook's environment, and calls the hook on the
files; nothing of it touches this machine's own caches.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.project import IDENTITY, git

FOREIGN = ("GIT_", "PRE_COMMIT", "PREK_", "PYTEST_", "PYTHON", "VIRTUAL_ENV", "COV_", "COVERAGE_")
TIME_LIMIT = 300
CONFIGURATION = """\
repos:
  - repo: {project}
    rev: {revision}
    hooks:
      - id: {hook}{settings}
"""
RUNNERS = ("pre-commit", "prek")


@dataclass(frozen=True, slots=True)
class HookResult:
    """Exit code (0 passed, 1 a hook failed or changed files) and everything that was printed."""

    exit_code: int
    output: str


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of ``project``, a committed repository (``project.committed_snapshot``).

    Environments are kept in ``home`` for all runs of this object. ``runner`` is one of RUNNERS.
    """

    project: Path
    home: Path
    runner: str = "pre-commit"

    def try_repo(self, consumer: Path, hook: str, files: Sequence[str]) -> HookResult:
        """``try-repo`` in ``consumer``: what a newcomer types; installs every time."""
        return self._call(consumer, "try-repo", str(self.project), hook, "--files", *files)

    def run(
        self, consumer: Path, hook: str, files: Sequence[str], settings: str = ""
    ) -> HookResult:
        """``run`` by a configuration file that is written into ``consumer``.

        The first run installs, the next ones reuse it. ``settings`` is a line beside the hook's id.
        """
        self.configure(consumer, hook, settings)
        return self._call(consumer, "run", hook, "--files", *files)

    def commit(self, consumer: Path, hook: str) -> HookResult:
        """``git commit`` of what is staged, by the hook as the runner installs it into git."""
        self.configure(consumer, hook)
        self._call(consumer, "install")
        command = ["git", *IDENTITY, "commit", "-m", "A change"]
        return self._done(consumer, command)

    def configure(self, consumer: Path, hook: str, settings: str = "") -> None:
        """Write and stage ``.pre-commit-config.yaml``."""
        revision = git(self.project, "rev-parse", "HEAD")
        told = f"\n        {settings}" if settings else ""
        text = CONFIGURATION.format(
            project=self.project, revision=revision, hook=hook, settings=told
        )
        (consumer / ".pre-commit-config.yaml").write_text(text, "utf-8")
        git(consumer, "add", ".pre-commit-config.yaml")

    def _call(self, consumer: Path, *arguments: str) -> HookResult:
        if self.runner == "prek":
            program = [str(Path(sys.executable).with_name("prek"))]
        else:
            program = [sys.executable, "-m", "pre_commit"]
        quiet = [] if arguments[0] == "install" else ["--verbose"]
        return self._done(consumer, [*program, *arguments, "--color=never", *quiet])

    def _done(self, consumer: Path, command: Sequence[str]) -> HookResult:
        done = subprocess.run(
            command,
            cwd=consumer,
            env=self._ambient(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        return HookResult(done.returncode, done.stdout)

    def _ambient(self) -> dict[str, str]:
        kept = {name: each for name, each in os.environ.items() if not name.startswith(FOREIGN)}
        own = str(Path(sys.prefix) / "bin")
        folders = [each for each in kept["PATH"].split(os.pathsep) if each != own]
        homes = dict.fromkeys(("PRE_COMMIT_HOME", "PREK_HOME"), str(self.home))
        return kept | {"PATH": os.pathsep.join(folders)} | homes


def consumer_repository(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """A git repository with ``files`` staged, as they are when ``git commit`` calls the hooks."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    git(folder, "add", "--all")
    return folder
