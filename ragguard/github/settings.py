"""What action.yml hands over, cleaned field by field.

Every input arrives as an environment variable `INPUT_…`; GitHub's own facts as `GITHUB_…`. A value
that cannot be acted on is an error that names the input, the value and what would do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from ragguard.errors import UsageError
from ragguard.github.client import Api

Baseline = Literal["auto", "artifact", "file", "none"]
OnMissing = Literal["neutral", "fail"]
CommentMode = Literal["update", "new", "changes", "failures", "off"]
FailOn = Literal["gate", "never"]

INPUTS: Mapping[str, str] = {
    "config": "",
    "suites": "",
    "baseline": "auto",
    "baseline-path": "",
    "on-missing-baseline": "neutral",
    "comment": "",
    "fail-on": "gate",
    "id": "default",
    "working-directory": ".",
    "acknowledge-label": "ragguard-accepted",
    "github-token": "",
    "summary": "true",
    "annotations": "true",
}
"""Inputs that the program reads, with their defaults; action.yml says the same (its token's is
the workflow's). `python` is for the shell that starts the program."""

TOKEN_VARIABLE = "INPUT_GITHUB_TOKEN"  # noqa: S105 - a name, not a secret
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Settings:
    """The inputs of the action and the facts of the run.

    Attributes:
        config: the configuration as given; None looks for `ragguard.yml`.
        suites: names of the suites to evaluate; empty means all.
        baseline_path: the committed baseline, relative to the working directory; None takes
            `ragguard-baseline.jsonl.gz` or `ragguard-baseline.jsonl` beside the configuration.
        comment: when a comment is written; None leaves it to the configuration.
        id: tells the comments and artifacts of several jobs apart.
        api: the API and its token, which no repr shows.
        workspace: root of the checkout.
        temporary: a folder that is gone after the job.
        run_number: number and attempt of the workflow run; a later one is greater.
        actor: login of whoever started the run.
    """

    config: str | None
    suites: tuple[str, ...]
    baseline: Baseline
    baseline_path: str | None
    on_missing_baseline: OnMissing
    comment: CommentMode | None
    fail_on: FailOn
    id: str
    working_directory: Path
    acknowledge_label: str
    summary: bool
    annotations: bool
    api: Api
    workspace: Path
    temporary: Path
    event_name: str
    event_path: Path
    sha: str
    ref: str
    server_url: str
    run_id: str
    run_number: tuple[int, int]
    actor: str
    output_path: Path | None
    summary_path: Path | None

    @property
    def run_url(self) -> str:
        """Page of this run."""
        return f"{self.server_url}/{self.api.repository}/actions/runs/{self.run_id}"

    @property
    def artifact_name(self) -> str:
        """Name under which the report of this job is kept."""
        return artifact_name(self.id)


def artifact_name(identity: str) -> str:
    """Name of the artifact that holds the report of the job with that id."""
    return f"ragguard-report-{identity}"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings that an environment holds.

    Raises:
        UsageError: an input or a fact of the run is missing or cannot be acted on.
    """
    given = _Given(environment)
    workspace = Path(given.fact("GITHUB_WORKSPACE"))
    folder = workspace / given.input("working-directory")
    if not folder.is_dir():
        raise UsageError(
            f"input working-directory: {given.input('working-directory')!r} is no folder",
            hint="it is relative to the root of the checkout; does the workflow check out first?",
        )
    return Settings(
        config=given.input("config") or None,
        suites=tuple(re.split(r"[\s,]+", given.input("suites"))) if given.input("suites") else (),
        baseline=cast("Baseline", given.choice("baseline", ("auto", "artifact", "file", "none"))),
        baseline_path=given.input("baseline-path") or None,
        on_missing_baseline=cast(
            "OnMissing", given.choice("on-missing-baseline", ("neutral", "fail"))
        ),
        comment=cast(
            "CommentMode | None",
            given.choice("comment", ("", "update", "new", "changes", "failures", "off")) or None,
        ),
        fail_on=cast("FailOn", given.choice("fail-on", ("gate", "never"))),
        id=given.identity(),
        working_directory=folder,
        acknowledge_label=given.input("acknowledge-label"),
        summary=given.switch("summary"),
        annotations=given.switch("annotations"),
        api=Api(
            repository=given.fact("GITHUB_REPOSITORY"),
            token=given.input("github-token"),
            url=given.fact("GITHUB_API_URL", "https://api.github.com"),
            graphql_url=given.fact("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql"),
        ),
        workspace=workspace,
        temporary=Path(given.fact("RUNNER_TEMP")),
        event_name=given.fact("GITHUB_EVENT_NAME"),
        event_path=Path(given.fact("GITHUB_EVENT_PATH")),
        sha=given.fact("GITHUB_SHA"),
        ref=given.fact("GITHUB_REF", ""),
        server_url=given.fact("GITHUB_SERVER_URL", "https://github.com"),
        run_id=given.fact("GITHUB_RUN_ID", "0"),
        run_number=(given.number("GITHUB_RUN_NUMBER"), given.number("GITHUB_RUN_ATTEMPT")),
        actor=given.fact("GITHUB_ACTOR", ""),
        output_path=given.path("GITHUB_OUTPUT"),
        summary_path=given.path("GITHUB_STEP_SUMMARY"),
    )


def read_event(settings: Settings) -> dict[str, Any]:
    """The payload of the event.

    Raises:
        UsageError: its file cannot be read as a JSON object.
    """
    path = settings.event_path
    try:
        payload = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"GITHUB_EVENT_PATH {path}: cannot read the event: {error}") from error
    if not isinstance(payload, dict):
        raise UsageError(f"GITHUB_EVENT_PATH {path}: the event is no JSON object")
    return payload


class _Given:
    """Reads one variable after the other, saying which one is at fault."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def input(self, name: str) -> str:
        value = self._environment.get(variable(name), "").strip()
        return value or INPUTS[name]

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        value = self.input(name)
        if value not in choices:
            listed = ", ".join(filter(None, choices))
            raise UsageError(f"input {name}: {value!r} is none of {listed}")
        return value

    def switch(self, name: str) -> bool:
        return self.choice(name, ("true", "false")) == "true"

    def identity(self) -> str:
        value = self.input("id")
        if not _ID.fullmatch(value):
            raise UsageError(
                f"input id: {value!r} cannot name an artifact",
                hint="use up to 64 letters, digits, '.', '_' and '-', beginning with one of the "
                "first two",
            )
        return value

    def fact(self, name: str, default: str | None = None) -> str:
        value = self._environment.get(name) or default
        if value is None:
            raise UsageError(
                f"{name} is not set",
                hint="`ragguard action` is what action.yml calls in a GitHub workflow; at a "
                "terminal use `ragguard eval` and `ragguard diff`",
            )
        return value

    def number(self, name: str) -> int:
        value = self.fact(name, "1")
        if not (value.isascii() and value.isdecimal()):
            raise UsageError(f"{name}: {value!r} is no number")
        return int(value)

    def path(self, name: str) -> Path | None:
        value = self._environment.get(name)
        return Path(value) if value else None


def variable(name: str) -> str:
    """The environment variable of an input."""
    return f"INPUT_{name.upper().replace('-', '_')}"
