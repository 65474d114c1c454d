"""A git repository with a suite in it, for tests of what is compared with a base."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from ragguard.config.reading import read_config
from ragguard.lint.engine import lint_config
from ragguard.lint.result import LintResult
from ragguard.lint.selection import Selection
from tests.lint.linting import write

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "A Tester"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "tester@example.org"),
}
COMPARING = Selection.of(["RG206", "RG404", "RG406"])


class Repository:
    """A repository on branch `main`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """What a git command prints; it must not fail."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env=_ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def commit(self, files: dict[str, Any]) -> None:
        """Write files (None removes one) and commit everything."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=change")

    def write(self, files: dict[str, Any]) -> None:
        """Write files as `linting.write` does; None removes one."""
        for name, content in files.items():
            if content is None:
                (self.folder / name).unlink()
            else:
                write(self.folder, {name: content})

    def lint(self, base: str = "main", config: str = "ragguard.yml") -> LintResult:
        """What the rules find that compare with a base."""
        return lint_config(read_config(self.folder / config), COMPARING, base=base)
