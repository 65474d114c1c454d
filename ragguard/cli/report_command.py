"""`ragguard report`: show one report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.cli.output import deliver, echo

if TYPE_CHECKING:
    from ragguard.gate.verdict import Verdict
    from ragguard.report.model import Report


@click.command(short_help="Show one report.")
@click.argument("report", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="Form of what is shown.",
)
@click.option("--gate", is_flag=True, help="Apply the gates that need no baseline.")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file instead."
)
@click.option("--config", help="Configuration with the settings of Markdown.")
@click.pass_context
def command(
    ctx: click.Context,
    report: Path,
    form: str,
    gate: bool,
    output: Path | None,
    config: str | None,
) -> None:
    """Show the means, the slices, and every query that misses evidence in REPORT.

    With --gate, exits 1 when a floor or another gate of a single report fails.

    \b
    Examples:
      ragguard report ragguard-report.jsonl
      ragguard report ragguard-report.jsonl --gate --format json
    """
    from ragguard.errors import ExitCode
    from ragguard.gate.judge import judge_alone
    from ragguard.report.reading import read_report

    read = read_report(report)
    verdict = judge_alone(read) if gate else None
    shown = _rendered(read, verdict, form, config, styled=not output)
    deliver(shown, output, for_people=form != "json")
    if verdict is not None and form == "json":
        for reason in verdict.reasons:
            echo(f"{reason.suite} {reason.gate}: {reason.message}", err=True)
    ctx.exit(int(verdict.exit_code if verdict else ExitCode.PASSED))


def _rendered(
    report: Report, verdict: Verdict | None, form: str, config: str | None, *, styled: bool
) -> str:
    if form == "json":
        from ragguard.render.json_text import json_text
        from ragguard.report.summary import summarise

        return json_text(summarise(report))
    if form == "markdown":
        from ragguard.cli.output import comment_settings
        from ragguard.render.comment_context import CommentContext
        from ragguard.render.report_markdown import report_markdown

        settings = comment_settings(config)
        context = CommentContext(queries=settings.queries, max_rows=settings.max_rows)
        return report_markdown(report, context, verdict)
    from ragguard.render.report_text import report_text

    return report_text(report, verdict, colour=styled)
