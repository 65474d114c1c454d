"""A git repository taken over by the loopback."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.loopback.git_import import import_git
from tests.loopback.history import blob_sha, compare
from tests.loopback.server import LoopbackGitHub


def git(path: Path, *arguments: str) -> str:
    """What git says, for an author of the test's own."""
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@example.com"]
    command = ["git", "-C", str(path), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_commits_trees_and_branches_are_gits_own(github: LoopbackGitHub, tmp_path: Path) -> None:
    """Ids, parents, files and the merge base agree with git; a second import adds what is new."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "naïve name.bin").write_bytes(b"\xff\x00")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first\n\nwith a body")
    git(tmp_path, "checkout", "-q", "-b", "feature/x")
    (tmp_path / "a.txt").write_text("two\n")
    git(tmp_path, "commit", "-q", "-a", "-m", "second")
    repository = github.add_repository("org/repo")
    import_git(repository, tmp_path)
    main, head = git(tmp_path, "rev-parse", "main"), git(tmp_path, "rev-parse", "feature/x")
    assert repository.branches == {"main": main, "feature/x": head}
    assert repository.commits[main].message == "first\n\nwith a body"
    assert repository.commits[main].files == {"a.txt": b"one\n", "naïve name.bin": b"\xff\x00"}
    assert blob_sha(b"one\n") == git(tmp_path, "rev-parse", "main:a.txt")
    found = compare(repository.commits, main, head)
    assert found is not None
    assert (found.merge_base.sha, found.status) == (main, "ahead")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "third")
    import_git(repository, tmp_path)
    assert repository.branches["feature/x"] == git(tmp_path, "rev-parse", "HEAD")
    assert len(repository.commits) == 3
