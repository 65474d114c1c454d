"""Workflow runs and artifacts."""

from __future__ import annotations

from tests.loopback.call import Call, Refusal, answer
from tests.loopback.contract import Answer
from tests.loopback.shapes import actions
from tests.loopback.state import Artifact, WorkflowRun


def list_runs(call: Call) -> Answer:
    """The workflow runs of the repository, newest first."""
    return _runs(call, list(call.repository.runs.values()))


def list_runs_of_workflow(call: Call) -> Answer:
    """The runs of one workflow, named by number or by file name."""
    wanted = call.text("workflow_id")
    runs = [each for each in call.repository.runs.values() if wanted in _names(each)]
    if not runs:
        raise Refusal(404, "Not Found")
    return _runs(call, runs)


def get_run(call: Call) -> Answer:
    """One run."""
    return answer(_run_shape(call, _run(call)))


def list_artifacts_of_run(call: Call) -> Answer:
    """The artifacts of one run."""
    run = _run(call)
    return _artifacts(
        call, [each for each in call.repository.artifacts.values() if each.run_id == run.id]
    )


def list_artifacts(call: Call) -> Answer:
    """All artifacts of the repository, of every run and event, those from forks too."""
    return _artifacts(call, list(call.repository.artifacts.values()))


def get_artifact(call: Call) -> Answer:
    """One artifact."""
    return answer(_artifact_shape(call, _artifact(call)))


def download_artifact(call: Call) -> Answer:
    """A redirect to the storage host, for anyone with a token; 410 for an expired artifact."""
    if call.token is None:
        raise Refusal(401, "Requires authentication")
    artifact = _artifact(call)
    if artifact.expired:
        raise Refusal(410, "Artifact has expired")
    if call.text("archive_format") != "zip":
        raise Refusal(404, "Not Found")
    return Answer(302, headers={"Location": call.blob_url(artifact.id)})


def _names(run: WorkflowRun) -> tuple[str, str]:
    return str(run.workflow_id), run.workflow.rsplit("/", 1)[-1]


def _runs(call: Call, runs: list[WorkflowRun]) -> Answer:
    for name in call.received.query.keys() & {"created", "check_suite_id"}:
        raise NotImplementedError(f"the loopback does not filter runs by {name!r}")
    kept = sorted((each for each in runs if _is_asked_for(call, each)), key=lambda each: -each.id)
    shown, links = call.page(kept)
    shapes = [_run_shape(call, each) for each in shown]
    return answer({"total_count": len(kept), "workflow_runs": shapes}, headers=links)


def _is_asked_for(call: Call, run: WorkflowRun) -> bool:
    asked = call.received.query
    exact = {
        "actor": run.actor,
        "branch": run.head_branch,
        "event": run.event,
        "head_sha": run.head_sha,
    }
    return all(asked.get(name, value) == value for name, value in exact.items()) and (
        asked.get("status") in (None, run.status, run.conclusion)
    )


def _artifacts(call: Call, artifacts: list[Artifact]) -> Answer:
    name = call.query("name")
    kept = sorted(
        (each for each in artifacts if name in (None, each.name)), key=lambda each: -each.id
    )
    shown, links = call.page(kept)
    shapes = [_artifact_shape(call, each) for each in shown]
    return answer({"total_count": len(kept), "artifacts": shapes}, headers=links)


def _run_shape(call: Call, run: WorkflowRun) -> dict[str, object]:
    shape = actions.run(call.place, run, call.repositories.get(run.head_repository))
    return shape | {"pull_requests": []} if call.query("exclude_pull_requests") == "true" else shape


def _artifact_shape(call: Call, artifact: Artifact) -> dict[str, object]:
    run = call.repository.runs[artifact.run_id]
    head = call.repositories.get(run.head_repository, call.repository)
    return actions.artifact(call.place, artifact, run, head)


def _run(call: Call) -> WorkflowRun:
    found = call.repository.runs.get(call.number("run_id"))
    if found is None:
        raise Refusal(404, "Not Found")
    return found


def _artifact(call: Call) -> Artifact:
    found = call.repository.artifacts.get(call.number("artifact_id"))
    if found is None:
        raise Refusal(404, "Not Found")
    return found
