"""Inputs of the action, cleaned."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.errors import UsageError
from ragguard.github.settings import INPUTS, read_event, read_settings, variable

TOKEN = "ghs_secretsecretsecret"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A runner's environment with every input at its default."""
    return {
        "GITHUB_WORKSPACE": str(tmp_path),
        "GITHUB_REPOSITORY": "org/repo",
        "GITHUB_EVENT_NAME": "push",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_SHA": "a" * 40,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_RUN_NUMBER": "17",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_RUN_ID": "4711",
        variable("github-token"): TOKEN,
    }


def test_empty_inputs_are_at_their_defaults(environment: dict[str, str], tmp_path: Path) -> None:
    """An input that nobody set arrives as an empty text."""
    environment |= {variable(name): "" for name in INPUTS if name != "github-token"}
    settings = read_settings(environment)
    assert settings.config is None
    assert settings.suites == ()
    assert settings.baseline == "auto"
    assert settings.comment is None
    assert settings.fail_on == "gate"
    assert settings.summary
    assert settings.annotations
    assert settings.working_directory == tmp_path / "."
    assert settings.run_number == (17, 2)
    assert settings.run_url == "https://github.com/org/repo/actions/runs/4711"
    assert settings.artifact_name == "ragguard-report-default"


def test_suites_are_split_at_spaces_and_commas(environment: dict[str, str]) -> None:
    """As people write lists in YAML."""
    settings = read_settings(environment | {variable("suites"): " docs, code\nfaq "})
    assert settings.suites == ("docs", "code", "faq")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("baseline", "rerun"),
        ("on-missing-baseline", "ignore"),
        ("comment", "sometimes"),
        ("fail-on", "warning"),
        ("summary", "yes"),
        ("annotations", "1"),
        ("id", "a b"),
        ("id", "a-->"),
        ("id", "x" * 65),
        ("working-directory", "nowhere"),
    ],
)
def test_an_input_that_cannot_be_acted_on_is_named(
    environment: dict[str, str], name: str, value: str
) -> None:
    """With its name and its value."""
    with pytest.raises(UsageError, match=f"input {name}: ") as caught:
        read_settings(environment | {variable(name): value})
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("name", ["GITHUB_WORKSPACE", "GITHUB_REPOSITORY", "GITHUB_EVENT_NAME"])
def test_outside_a_workflow_the_way_out_is_said(environment: dict[str, str], name: str) -> None:
    """Somebody types `ragguard action` at a terminal."""
    del environment[name]
    with pytest.raises(UsageError, match=f"{name} is not set") as caught:
        read_settings(environment)
    assert "ragguard eval" in str(caught.value)


def test_the_token_is_in_no_repr(environment: dict[str, str]) -> None:
    """Settings may end in a log."""
    settings = read_settings(environment)
    assert settings.api.token == TOKEN
    assert TOKEN not in repr(settings)


@pytest.mark.parametrize("content", [None, "", "{", "[]"], ids=["missing", "empty", "cut", "list"])
def test_an_event_that_cannot_be_read_is_an_error(
    environment: dict[str, str], tmp_path: Path, content: str | None
) -> None:
    """The file is named."""
    if content is not None:
        (tmp_path / "event.json").write_text(content)
    with pytest.raises(UsageError, match=r"event\.json"):
        read_event(read_settings(environment))
