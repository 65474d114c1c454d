"""Workflow runs and artifacts in GitHub's shapes."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

from tests.loopback import shapes
from tests.loopback.contract import skeleton
from tests.loopback.repository import Repository
from tests.loopback.shapes import Json, Place, account, time
from tests.loopback.state import Artifact, PullRequest, WorkflowRun


def run(at: Place, run: WorkflowRun, head: Repository | None) -> Json:
    """A workflow run; it names its pull requests only when their head is here (runner#3444)."""
    url = f"{at.api_url}/actions/runs/{run.id}"
    own = run.head_repository == at.repository.full_name
    pulls = [at.repository.pulls[number] for number in run.pull_requests if own]
    return skeleton(
        "workflow-run",
        id=run.id,
        run_number=run.run_number,
        run_attempt=run.run_attempt,
        event=run.event,
        status=run.status,
        conclusion=run.conclusion,
        head_branch=run.head_branch,
        head_sha=run.head_sha,
        path=run.workflow,
        name=run.workflow.rsplit("/", 1)[-1],
        check_suite_id=run.id,
        check_suite_node_id=f"CS_{run.id}",
        previous_attempt_url=None,
        workflow_id=run.workflow_id,
        url=url,
        artifacts_url=f"{url}/artifacts",
        html_url=f"{at.page_url}/actions/runs/{run.id}",
        actor=account(run.actor),
        triggering_actor=account(run.actor),
        pull_requests=[pull_of_run(at, pull) for pull in pulls],
        created_at=time(run.created_at),
        updated_at=time(run.created_at),
        run_started_at=time(run.created_at),
        repository=shapes.repository(at, "minimal-repository"),
        head_repository=shapes.repository(
            Place(at.api, head or at.repository), "minimal-repository"
        ),
    )


def pull_of_run(at: Place, pull: PullRequest) -> Json:
    """The short form of a pull request inside a run."""
    repo = {
        "id": at.repository.id,
        "url": at.api_url,
        "name": at.repository.full_name.split("/")[1],
    }
    return {
        "id": pull.id,
        "number": pull.number,
        "url": f"{at.api_url}/pulls/{pull.number}",
        "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": repo},
        "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": repo},
    }


def artifact(at: Place, artifact: Artifact, run: WorkflowRun, head: Repository) -> Json:
    """An artifact with the run it came from."""
    url = f"{at.api_url}/actions/artifacts/{artifact.id}"
    return skeleton(
        "artifact",
        id=artifact.id,
        node_id=f"A_{artifact.id}",
        name=artifact.name,
        size_in_bytes=len(artifact.content),
        url=url,
        archive_download_url=f"{url}/zip",
        expired=artifact.expired,
        digest=f"sha256:{sha256(artifact.content).hexdigest()}",
        created_at=time(artifact.created_at),
        updated_at=time(artifact.created_at),
        expires_at=time(artifact.created_at + timedelta(days=90)),
        workflow_run={
            "id": run.id,
            "repository_id": at.repository.id,
            "head_repository_id": head.id,
            "head_branch": run.head_branch,
            "head_sha": run.head_sha,
        },
    )
