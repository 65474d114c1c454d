"""What git is asked about files of a commit, in a real repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard import git
from tests.lint.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Names that git quotes, and one that looks like a pattern."""
    made = Repository(tmp_path)
    made.commit(
        {'a/é "x".jsonl': "1\n", "a/b*.jsonl": "2\n", "a/bc.jsonl": "3\n", "d.jsonl": "4\n"}
    )
    return made


def test_files_of_a_commit_are_listed_by_their_names(repository: Repository) -> None:
    """At a path or below it; whatever is in a name."""
    head = git.commit_of(repository.folder) or ""
    below = dict(git.files_at(repository.folder, head, "a"))
    assert set(below) == {'a/é "x".jsonl', "a/b*.jsonl", "a/bc.jsonl"}
    assert [name for name, _ in git.files_at(repository.folder, head, "d.jsonl")] == ["d.jsonl"]
    assert list(git.files_at(repository.folder, head, "nothing")) == []
    target = repository.folder / "copy"
    assert git.save_content(repository.folder, below["a/b*.jsonl"], target)
    assert target.read_bytes() == b"2\n"
    assert not git.save_content(repository.folder, "0" * 40, target)


@pytest.mark.parametrize("padding", [0, 600])
def test_changed_files_are_those_that_were_asked_for(padding: int, repository: Repository) -> None:
    """A name is no pattern, and many of them are no long command line."""
    repository.write({"a/bc.jsonl": "33\n", "d.jsonl": "44\n", 'a/é "x".jsonl': None})
    more = [f"no/{'x' * 200}{number}" for number in range(padding)]
    asked = ['a/é "x".jsonl', "a/b*.jsonl", "d.jsonl", *more]
    head = git.commit_of(repository.folder) or ""
    changed = git.changed_files(repository.folder, head, asked)
    assert changed == {'a/é "x".jsonl', "d.jsonl"}


def test_a_complaint_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without git's own word for an error."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    answer = git.ask(tmp_path, "rev-parse", "--show-toplevel")
    assert answer.output is None
    assert answer.complaint.startswith("not a git repository")
    monkeypatch.setenv("PATH", "")
    assert not git.is_installed()
    assert git.ask(tmp_path, "status") == git.Answer(None, "git is not installed")


def test_a_hook_of_a_worktree_finds_the_root_from_a_folder_below_it(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git tells such a hook where its own files are, and not where those of the project are."""
    tree = tmp_path / "tree"
    repository.git("worktree", "add", "--quiet", str(tree), "-b", "other")
    monkeypatch.setenv("GIT_DIR", str(repository.folder / ".git/worktrees/tree"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository.folder / ".git/worktrees/tree/index.lock"))
    found = git.git(tree / "a", "rev-parse", "--show-toplevel") or b""
    assert Path(found.decode().strip()).resolve() == tree.resolve()
