"""One repository of the loopback GitHub, and the ways in which a test fills it."""

from __future__ import annotations

import hashlib
import io
import itertools
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tests.loopback.state import (
    WORKFLOW_LOGIN,
    Artifact,
    Comment,
    Commit,
    PullRequest,
    WorkflowRun,
    now,
)


@dataclass(slots=True)
class Repository:
    """One repository with everything that hangs on it."""

    full_name: str
    id: int
    ids: Iterator[int]
    private: bool = False
    default_branch: str = "main"
    fork_of: str | None = None
    owner_is_organization: bool = True
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    runs: dict[int, WorkflowRun] = field(default_factory=dict)
    artifacts: dict[int, Artifact] = field(default_factory=dict)

    @property
    def owner(self) -> str:
        """The part of the full name before the slash."""
        return self.full_name.split("/")[0]

    def commit(
        self,
        files: Mapping[str, bytes | str],
        *,
        branch: str = "main",
        parents: Sequence[str] | None = None,
        message: str = "Change files",
        date: datetime | None = None,
    ) -> Commit:
        """Commit ``files`` and move the branch there; a new branch starts at the default one.

        ``parents`` stand in place of the branch's tip; () makes a root.
        """
        tip = self.branches.get(branch, self.branches.get(self.default_branch))
        known = [] if tip is None else [tip]
        above = tuple(known if parents is None else parents)
        inherited = self.commits[above[0]].files if above and above[0] in self.commits else {}
        changed = {
            path: text.encode() if isinstance(text, str) else text for path, text in files.items()
        }
        when = now() if date is None else date
        made = Commit("", above, message, {**inherited, **changed}, date=when)
        made.sha = hashlib.sha1(
            f"{next(self.ids)} {above} {message}".encode(), usedforsecurity=False
        ).hexdigest()
        self.commits[made.sha] = made
        self.branches[branch] = made.sha
        return made

    def open_pull(
        self,
        head_sha: str,
        *,
        number: int | None = None,
        head_ref: str = "feature",
        head_repository: str | None = None,
        base_ref: str = "main",
        base_sha: str | None = None,
        merge_commit_sha: str | None = None,
        labels: Sequence[str] = (),
        author: str = "octocat",
        title: str = "A change",
    ) -> PullRequest:
        """Open a pull request; its number is the next free one unless given."""
        pull = PullRequest(
            number=max(self.pulls, default=0) + 1 if number is None else number,
            id=next(self.ids),
            title=title,
            author=author,
            base_ref=base_ref,
            base_sha=self.branches[base_ref] if base_sha is None else base_sha,
            head_repository=head_repository or self.full_name,
            head_ref=head_ref,
            head_sha=head_sha,
            merge_commit_sha=merge_commit_sha,
            labels=list(labels),
        )
        self.pulls[pull.number] = pull
        return pull

    def comment(self, issue_number: int, body: str, author: str = WORKFLOW_LOGIN) -> Comment:
        """Add a comment as its author would."""
        made = Comment(next(self.ids), issue_number, author, body)
        self.comments[made.id] = made
        return made

    def comments_of(self, issue_number: int) -> list[Comment]:
        """The comments of one issue or pull request, in ascending order of id."""
        return [
            comment
            for _, comment in sorted(self.comments.items())
            if comment.issue_number == issue_number
        ]

    def run(
        self,
        head_sha: str,
        *,
        event: str = "push",
        head_branch: str = "main",
        head_repository: str | None = None,
        workflow: str = ".github/workflows/ci.yml",
        workflow_id: int = 1,
        status: str = "completed",
        conclusion: str | None = "success",
        created_at: datetime | None = None,
    ) -> WorkflowRun:
        """Add a workflow run; run numbers rise by workflow."""
        made = WorkflowRun(
            id=next(self.ids),
            run_number=1 + sum(each.workflow_id == workflow_id for each in self.runs.values()),
            event=event,
            head_branch=head_branch,
            head_sha=head_sha,
            head_repository=head_repository or self.full_name,
            workflow=workflow,
            workflow_id=workflow_id,
            status=status,
            conclusion=conclusion,
            created_at=now() if created_at is None else created_at,
        )
        self.runs[made.id] = made
        return made

    def artifact(
        self,
        run: WorkflowRun,
        name: str,
        content: bytes | Mapping[str, bytes | str],
        *,
        expired: bool = False,
    ) -> Artifact:
        """Add an artifact to a run: a finished archive, or the files to put into one."""
        archive = content if isinstance(content, bytes) else zipped(content)
        made = Artifact(next(self.ids), name, run.id, archive, expired, created_at=run.created_at)
        self.artifacts[made.id] = made
        return made


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip archive of ``files``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def rising_ids() -> Iterator[int]:
    """Ids as GitHub gives them: large, rising, never used twice."""
    return itertools.count(1_000_000_001)
