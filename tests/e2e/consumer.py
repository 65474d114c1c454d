"""A repository that uses the action: real git, and what the loopback knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.project import git
from tests.loopback.git_import import import_git
from tests.loopback.repository import Repository
from tests.loopback.server import LoopbackGitHub
from tests.loopback.state import PullRequest

Files = Mapping[str, str | bytes | None]


@dataclass(frozen=True, slots=True)
class Consumer:
    """``origins`` holds OWNER/NAME.git as a bare repository; ``desk`` is where commits are made.

    Whatever is committed is pushed at once, and the loopback learns of it.
    """

    github: LoopbackGitHub
    repository: Repository
    origins: Path
    desk: Path

    @classmethod
    def create(
        cls, github: LoopbackGitHub, folder: Path, files: Files, full_name: str = "org/repo"
    ) -> Consumer:
        """A new repository with ``files`` in the first commit of its default branch ``main``."""
        origins, desk = folder / "origins", folder / "desk"
        origin = origins / f"{full_name}.git"
        origin.mkdir(parents=True)
        desk.mkdir()
        git(origin, "init", "-q", "--bare", "-b", "main")
        git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
        git(desk, "init", "-q", "-b", "main")
        git(desk, "remote", "add", "origin", str(origin))
        made = cls(github, github.add_repository(full_name), origins, desk)
        made.commit(files, message="Start")
        return made

    @property
    def origin(self) -> Path:
        """The bare repository."""
        return self.origins / f"{self.repository.full_name}.git"

    def tip(self, branch: str = "main") -> str:
        """The commit that a branch of the origin points at."""
        return git(self.origin, "rev-parse", f"refs/heads/{branch}")

    def commit(self, files: Files, *, branch: str = "main", message: str = "Change") -> str:
        """Commit on a branch (a new one starts at main) and push; returns the commit's id.

        A file whose content is None is removed.
        """
        self._go_to(branch)
        self._write(files)
        git(self.desk, "commit", "-q", "--allow-empty", "-m", message)
        self._push(f"HEAD:refs/heads/{branch}")
        self._follow_pulls(branch)
        return git(self.desk, "rev-parse", "HEAD")

    def open_pull(
        self, branch: str, *, fork: str | None = None, author: str = "octocat"
    ) -> PullRequest:
        """A pull request of ``branch`` into main with its test merge, as GitHub makes it.

        With ``fork`` (OWNER/NAME) the branch belongs to that repository: here only the pull
        request's own refs lead to its commits.
        """
        head = self.tip(branch)
        if fork is not None:
            self._move_to_fork(branch, fork)
        pull = self.repository.open_pull(
            head, head_ref=branch, head_repository=fork, author=author, base_sha=self.tip()
        )
        self.refresh(pull)
        return pull

    def push_to(self, pull: PullRequest, files: Files, *, message: str = "Change") -> str:
        """Commit on top of a pull request's head, in a fork too; returns the commit's id."""
        git(self.desk, "checkout", "-q", "--force", "--detach", pull.head_sha)
        self._write(files)
        git(self.desk, "commit", "-q", "--allow-empty", "-m", message)
        pull.head_sha = git(self.desk, "rev-parse", "HEAD")
        if pull.head_repository == self.repository.full_name:
            self._push(f"{pull.head_sha}:refs/heads/{pull.head_ref}")
        self.refresh(pull)
        self._tell_fork(pull.head_repository, pull.head_ref, pull.head_sha)
        return pull.head_sha

    def refresh(self, pull: PullRequest) -> None:
        """Make the test merge of a pull request anew on the present base."""
        base = self.tip(pull.base_ref)
        message = f"Merge {pull.head_sha} into {base}"
        merge = self._merge(base, pull.head_sha, message)
        pull.merge_commit_sha = merge
        self._push(f"{pull.head_sha}:refs/pull/{pull.number}/head")
        self._push(f"{merge}:refs/pull/{pull.number}/merge")

    def queue(self, pull: PullRequest) -> str:
        """Put a pull request into the merge queue; returns the queue's branch."""
        base = self.tip(pull.base_ref)
        branch = f"gh-readonly-queue/{pull.base_ref}/pr-{pull.number}-{base}"
        merge = self._merge(base, pull.head_sha, f"Merge pull request #{pull.number}")
        self._push(f"{merge}:refs/heads/{branch}")
        return branch

    def merge(self, pull: PullRequest) -> str:
        """Merge a pull request into its base branch; returns the merge commit."""
        merge = self._merge(
            self.tip(pull.base_ref), pull.head_sha, f"Merge pull request #{pull.number}"
        )
        self._push(f"{merge}:refs/heads/{pull.base_ref}")
        pull.merged, pull.state, pull.merge_commit_sha = True, "closed", merge
        return merge

    def _go_to(self, branch: str) -> None:
        known = git(self.origin, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        start = branch if branch in known else "main" if "main" in known else None
        if start is None:
            return
        git(self.desk, "fetch", "-q", "origin", f"+refs/heads/{start}:refs/desk/{start}")
        git(self.desk, "checkout", "-q", "--force", "--detach", f"refs/desk/{start}")

    def _write(self, files: Files) -> None:
        for name, content in files.items():
            target = self.desk / name
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        git(self.desk, "add", "--all", "--force")

    def _merge(self, base: str, head: str, message: str) -> str:
        git(self.desk, "checkout", "-q", "--force", "--detach", base)
        git(self.desk, "merge", "-q", "--no-ff", "-m", message, head)
        return git(self.desk, "rev-parse", "HEAD")

    def _push(self, refspec: str) -> None:
        git(self.desk, "push", "-q", "--force", "origin", refspec)
        import_git(self.repository, self.origin)

    def _follow_pulls(self, branch: str) -> None:
        for pull in self.repository.pulls.values():
            own = pull.head_repository == self.repository.full_name
            if own and pull.head_ref == branch and pull.state == "open":
                pull.head_sha = self.tip(branch)
                self.refresh(pull)

    def _move_to_fork(self, branch: str, fork: str) -> None:
        head = self.tip(branch)
        if fork not in self.github.repositories:
            self.github.add_repository(fork, fork_of=self.repository.full_name)
        self._tell_fork(fork, branch, head)
        git(self.origin, "update-ref", "-d", f"refs/heads/{branch}")
        self.repository.branches.pop(branch, None)

    def _tell_fork(self, fork: str, branch: str, head: str) -> None:
        if fork != self.repository.full_name:
            place = self.github.repositories[fork]
            place.commits[head] = self.repository.commits[head]
            place.branches[branch] = head
