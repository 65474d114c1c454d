"""Artifacts of a running job, as GitHub offers them to its own actions: no public API, not judged.

The stand-ins of actions/upload-artifact and actions/download-artifact (tests/e2e/standins) call it.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.loopback.call import answer
from tests.loopback.contract import Answer
from tests.loopback.repository import Repository
from tests.loopback.state import Received

PREFIX = "/_runner/artifacts"


def serve(received: Received, repositories: Mapping[str, Repository]) -> Answer:
    """Keep, list or hand out a run's artifacts; 404 for an unknown one, 409 for one that exists."""
    repository = repositories.get(received.query.get("repository", ""))
    run_id = int(received.query.get("run_id", "0"))
    if repository is None or run_id not in repository.runs:
        return answer({"message": f"no run {run_id} of {received.query.get('repository')!r}"}, 404)
    own = {each.name: each for each in repository.artifacts.values() if each.run_id == run_id}
    name = received.query.get("name", "")
    if received.method == "POST":
        if name in own and received.query.get("overwrite") != "true":
            return answer({"message": f"an artifact {name!r} already exists on this run"}, 409)
        if name in own:
            del repository.artifacts[own[name].id]
        made = repository.artifact(repository.runs[run_id], name, received.body)
        return answer({"id": made.id}, 201)
    if not name:
        return answer([{"id": each.id, "name": each.name} for each in own.values()])
    if name not in own:
        return answer({"message": f"no artifact {name!r} on this run"}, 404)
    return Answer(200, own[name].content, "application/zip")
