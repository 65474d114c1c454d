"""What the action is told: inputs and the runner's environment, cleaned field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from ragguard.errors import UsageError

BaselineMode = Literal["auto", "artifact", "file", "none"]
MissingBaseline = Literal["neutral", "fail"]
CommentMode = Literal["update", "new", "changes", "failures", "off"]
FailOn = Literal["gate", "never"]

DEFAULT_ID = "default"
DEFAULT_BASELINE = "ragguard-baseline.jsonl.gz"
DEFAULT_LABEL = "ragguard-accepted"

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")
_TRUE, _FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off", ""}


@dataclass(frozen=True, slots=True)
class Api:
    """How GitHub is reached; the token stays out of every representation.

    Attributes:
        url, graphql_url: base addresses, those of an Enterprise Server where the runner says so.
        repository: `owner/name`.
    """

    url: str
    graphql_url: str
    repository: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """The action's inputs and what the runner tells, with nothing left to interpret.

    Attributes:
        workspace: the checkout.
        working_directory: folder below it that the action works in.
        config: configuration file as given, empty for the one found.
        event_path: file with the payload of the event.
        sha: the commit that is checked out.
        summary_path, output_path: files the runner reads; None outside a runner.
        server_url: address of the web pages.
    """

    api: Api
    workspace: Path
    working_directory: Path
    event_name: str
    event_path: Path
    sha: str
    run_id: int
    run_number: int
    server_url: str = "https://github.com"
    actor: str = ""
    config: str = ""
    suites: tuple[str, ...] = ()
    baseline: BaselineMode = "auto"
    baseline_path: str = ""
    on_missing_baseline: MissingBaseline = "neutral"
    comment: CommentMode | None = None
    fail_on: FailOn = "gate"
    id: str = DEFAULT_ID
    acknowledge_label: str = DEFAULT_LABEL
    write_summary: bool = True
    write_annotations: bool = True
    summary_path: Path | None = None
    output_path: Path | None = None


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings that the environment of a step holds.

    Raises:
        UsageError: an input has no valid value, or this is no GitHub Actions runner.
    """
    read = _Reader(environment)
    workspace = Path(read.required("GITHUB_WORKSPACE"))
    return Settings(
        api=Api(
            url=read.text("GITHUB_API_URL", "https://api.github.com").rstrip("/"),
            graphql_url=read.text("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql"),
            repository=read.matching("GITHUB_REPOSITORY", _REPOSITORY),
            token=read.text("RAGGUARD_GITHUB_TOKEN"),
        ),
        workspace=workspace,
        working_directory=read.folder("RAGGUARD_WORKING_DIRECTORY", workspace),
        event_name=read.required("GITHUB_EVENT_NAME"),
        event_path=Path(read.required("GITHUB_EVENT_PATH")),
        sha=read.required("GITHUB_SHA"),
        run_id=read.number("GITHUB_RUN_ID"),
        run_number=read.number("GITHUB_RUN_NUMBER"),
        server_url=read.text("GITHUB_SERVER_URL", "https://github.com").rstrip("/"),
        actor=read.text("GITHUB_ACTOR"),
        config=read.text("RAGGUARD_CONFIG"),
        suites=tuple(read.text("RAGGUARD_SUITES").replace(",", " ").split()),
        baseline=read.choice("RAGGUARD_BASELINE", get_args(BaselineMode), "auto"),
        baseline_path=read.text("RAGGUARD_BASELINE_PATH"),
        on_missing_baseline=read.choice(
            "RAGGUARD_ON_MISSING_BASELINE", get_args(MissingBaseline), "neutral"
        ),
        comment=read.choice("RAGGUARD_COMMENT", get_args(CommentMode), None),
        fail_on=read.choice("RAGGUARD_FAIL_ON", get_args(FailOn), "gate"),
        id=read.matching("RAGGUARD_ID", _ID, DEFAULT_ID),
        acknowledge_label=read.text("RAGGUARD_ACKNOWLEDGE_LABEL", DEFAULT_LABEL),
        write_summary=read.flag("RAGGUARD_SUMMARY", default=True),
        write_annotations=read.flag("RAGGUARD_ANNOTATIONS", default=True),
        summary_path=read.path("GITHUB_STEP_SUMMARY"),
        output_path=read.path("GITHUB_OUTPUT"),
    )


class _Reader:
    """Reads variables, complaining about the input a user knows rather than the variable."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str, default: str = "") -> str:
        return self._environment.get(name, "").strip() or default

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise UsageError(
                f"{name} is not set; `ragguard action` runs in a step of GitHub Actions",
                hint="at a terminal use `ragguard eval` and `ragguard diff`",
            )
        return value

    def number(self, name: str) -> int:
        value = self.text(name, "0")
        if not value.isdecimal():
            raise UsageError(f"{name} is {value!r}, no number")
        return int(value)

    def matching(self, name: str, pattern: re.Pattern[str], default: str | None = None) -> str:
        value = self.text(name, default or "")
        if not pattern.fullmatch(value):
            raise UsageError(f"{_input(name)} is {value!r}, which is not valid")
        return value

    def choice[T](self, name: str, choices: tuple[T, ...], default: T) -> T:
        value = self.text(name)
        if not value:
            return default
        found = next((each for each in choices if each == value), None)
        if found is None:
            listed = ", ".join(map(str, choices))
            raise UsageError(f"{_input(name)} is {value!r}; it can be {listed}")
        return found

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name).lower()
        if not value:
            return default
        if value not in _TRUE | _FALSE:
            raise UsageError(f"{_input(name)} is {value!r}; it can be true or false")
        return value in _TRUE

    def path(self, name: str) -> Path | None:
        value = self.text(name)
        return Path(value) if value else None

    def folder(self, name: str, workspace: Path) -> Path:
        value = self.text(name, ".")
        folder = (workspace / value).resolve()
        if not folder.is_dir():
            raise UsageError(f"{_input(name)} is {value!r}, which is no folder of the checkout")
        return folder


def _input(variable: str) -> str:
    """`RAGGUARD_FAIL_ON` is the input `fail-on`."""
    if variable.startswith("RAGGUARD_"):
        return f"the input {variable.removeprefix('RAGGUARD_').lower().replace('_', '-')!r}"
    return variable
