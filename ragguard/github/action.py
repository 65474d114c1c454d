"""The main line of the action: find the event, examine the checkout, tell, leave."""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from datetime import UTC, datetime

from ragguard.errors import ExitCode
from ragguard.github.baseline import REPORT_NAME
from ragguard.github.client import GitHub
from ragguard.github.event import event_from_payload
from ragguard.github.examining import Run, examine
from ragguard.github.settings import TOKEN_VARIABLE, Settings, read_event, read_settings
from ragguard.github.telling import Echo, tell
from ragguard.render.first_line import first_line
from ragguard.render.visible import visible
from ragguard.report.asking import Progress


def run_action(environment: MutableMapping[str, str], echo: Echo, progress: Progress) -> ExitCode:
    """Do what a workflow asks for; everything comes from the environment.

    Args:
        environment: the process's own; the token is taken out of it, for the retriever that is
            started later is the pull request's code.
        echo: prints a line to the log.
        progress: told of every suite and query.

    Raises:
        UsageError: the environment or the event cannot be acted on.
    """
    settings = read_settings(environment)
    environment.pop(TOKEN_VARIABLE, None)
    run = _run(settings)
    os.chdir(settings.working_directory)
    conclusion = examine(run, progress)
    exit_code = conclusion.exit_code(
        is_gated=run.event.is_gated,
        fails=settings.fail_on == "gate",
        missing_fails=settings.on_missing_baseline == "fail",
    )
    icon, words = first_line(conclusion.verdict, conclusion.comparison)
    echo(f"{icon} {words}")
    for line in (*conclusion.verdict.notes, *conclusion.what_to_do):
        echo(log_line(line))
    tell(conclusion, exit_code, run, echo, datetime.now(UTC))
    return exit_code


def log_line(text: str) -> str:
    """A sentence for the log; whoever wrote it, the runner finds no command in it."""
    return f"- {visible(text, 1_000)}".replace("##[", "# #[")


def _run(settings: Settings) -> Run:
    payload = read_event(settings)
    event = event_from_payload(
        settings.event_name, payload, sha=settings.sha, ref=settings.ref, actor=settings.actor
    )
    folder = settings.temporary / "ragguard" / settings.id
    folder.mkdir(parents=True, exist_ok=True)
    return Run(event, settings, GitHub(settings.api), folder / REPORT_NAME)
