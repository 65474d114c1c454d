"""`ragguard diff`: compare two reports and apply the gates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ragguard.cli.output import deliver

if TYPE_CHECKING:
    from ragguard.comparison.model import Comparison
    from ragguard.gate.verdict import Verdict


@click.command(short_help="Compare two reports and apply the gates.")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("head", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="Form of what is shown; markdown is the pull-request comment.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file instead."
)
@click.option(
    "--acknowledge",
    "accepted",
    multiple=True,
    metavar="GATE[:QUERY]",
    help="Accept a loss that is meant: critical, removed-critical, loosened-label, loosened-gate, "
    "or all of them. Stays visible. May be repeated.",
)
@click.option(
    "--policy",
    "scoring_from",
    type=click.Choice(["head", "base"]),
    default="head",
    show_default=True,
    help="Whose scoring and gates both reports are judged by; a pull request is judged by base's.",
)
@click.option("--config", help="Configuration with the settings of the comment.")
@click.pass_context
def command(
    ctx: click.Context,
    base: Path,
    head: Path,
    form: str,
    output: Path | None,
    accepted: Sequence[str],
    scoring_from: Literal["head", "base"],
    config: str | None,
) -> None:
    """Compare the reports BASE and HEAD, and apply the gates.

    Exits 0 when every gate passed, 1 when one failed, 3 when there is no verdict.

    \b
    Examples:
      ragguard diff base.jsonl head.jsonl
      ragguard diff base.jsonl head.jsonl --format markdown --output comment.md
      ragguard diff base.jsonl head.jsonl --acknowledge removed-critical:q002
    """
    from ragguard.comparison.compare import compare
    from ragguard.gate.judge import judge
    from ragguard.report.reading import read_report

    _check_accepted(accepted)
    comparison = compare(read_report(base), read_report(head), scoring_from=scoring_from)
    verdict = judge(comparison, accepted=accepted)
    reproduce = f"ragguard diff {click.format_filename(base)} {click.format_filename(head)}"
    shown = _rendered(comparison, verdict, form, config, reproduce, styled=not output)
    deliver(shown, output, for_people=form != "json")
    ctx.exit(int(verdict.exit_code))


def _check_accepted(accepted: Sequence[str]) -> None:
    from ragguard.errors import UsageError
    from ragguard.gate.judge import ACCEPTABLE

    for given in accepted:
        gate = given.split(":", maxsplit=1)[0]
        if gate not in {*ACCEPTABLE, "all"}:
            raise UsageError(
                f"--acknowledge {given}: no such loss can be accepted",
                hint=f"accept one of {', '.join(sorted(ACCEPTABLE))}, or all",
            )


def _rendered(
    comparison: Comparison,
    verdict: Verdict,
    form: str,
    config: str | None,
    reproduce: str,
    *,
    styled: bool,
) -> str:
    if form == "json":
        from ragguard.render.diff_json import diff_object
        from ragguard.render.json_text import json_text

        return json_text(diff_object(comparison, verdict))
    if form == "markdown":
        from ragguard.cli.output import comment_settings
        from ragguard.render.comment_context import CommentContext
        from ragguard.render.diff_markdown import render_comment

        settings = comment_settings(config)
        context = CommentContext(
            queries=settings.queries, max_rows=settings.max_rows, reproduce=reproduce
        )
        return render_comment(verdict, context, comparison=comparison)
    from ragguard.render.diff_text import diff_text

    return diff_text(comparison, verdict, colour=styled)
