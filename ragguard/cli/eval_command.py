"""`ragguard eval`: run the retriever over the suites and write a report."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.errors import ExitCode, RagguardError

if TYPE_CHECKING:
    from ragguard.gate.verdict import Verdict
    from ragguard.report.model import Report


class NothingEvaluatedError(RagguardError):
    """Every query failed, so that there is no verdict."""

    exit_code = ExitCode.NO_VERDICT


@click.command(short_help="Run the retriever over the suites and write a report.")
@click.option("--config", metavar="FILE", help="Configuration. Default: ragguard.yml upwards.")
@click.option("--suite", "suites", multiple=True, metavar="NAME", help="Only this suite; repeat.")
@click.option(
    "--query",
    "query_ids",
    multiple=True,
    metavar="ID",
    help="Only this query; repeat. The report is then partial, and no baseline.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Report file, compressed when it ends in .gz. Default: ragguard-report.jsonl beside the "
    "configuration.",
)
@click.option("--no-timings", is_flag=True, help="Leave times out: same input, same bytes.")
@click.option("--gate", is_flag=True, help="Apply the absolute gates; exit 1 when one fails.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table; only what is wrong.")
def command(
    config: str | None,
    suites: tuple[str, ...],
    query_ids: tuple[str, ...],
    output: Path | None,
    no_timings: bool,
    gate: bool,
    quiet: bool,
) -> int:
    """Run the retriever over the suites and write a report.

    A suite names one retriever: python (a function or object of your project), command (a program
    in any language), http (a service), run (a file of rankings) or search (built in). Variables
    of the environment, ${env:NAME}, are expanded in its settings alone and written nowhere.

    Every query ends in a state: ok, error, timeout or invalid. Failures are counted, never
    averaged away. Exit code 0 when every query has a state, 3 when none could be evaluated,
    2 when a dataset has rows that cannot be read or told apart. A suite whose retriever does not
    start has all its queries as errors; the others are evaluated all the same.

    \b
    Examples:
      ragguard eval
      ragguard eval --suite docs --query q002
      ragguard eval --output base.jsonl.gz --no-timings
    """
    from dataclasses import replace

    from ragguard.cli.ending import end_in_order
    from ragguard.config.reading import locate_config, read_config
    from ragguard.report.evaluating import Selection, evaluate_config
    from ragguard.report.writing import check_place, write_report

    end_in_order()
    gc.disable()  # a run makes hardly a cycle; the collector would walk all results in vain
    settings = read_config(locate_config(config, Path.cwd()))
    path = output or settings.root / "ragguard-report.jsonl"
    check_place(path)
    selection = Selection(suites, query_ids)
    report = evaluate_config(settings, selection, progress=_silent if quiet else _progress)
    if no_timings:
        report = replace(report, timing=None)
    write_report(report, path)
    verdict = _judged(report) if gate else None
    _tell(report, verdict, None if quiet else path)
    _refuse_nothing(report)
    return verdict.exit_code if verdict else ExitCode.PASSED


def _judged(report: Report) -> Verdict:
    from ragguard.gate.judge import judge_alone

    return judge_alone(report)


def _tell(report: Report, verdict: Verdict | None, path: Path | None) -> None:
    """Show warnings and, unless told to be quiet, the report and where it was written."""
    from ragguard.cli.output import echo

    for name, suite in report.suites.items():
        for warning in suite.warnings:
            echo(f"{click.style('warning:', fg='yellow')} {name}: {warning}", err=True)
    if path is not None:
        from ragguard.config.discovery import shown_path
        from ragguard.render.report_text import report_text

        echo(report_text(report, verdict, colour=True), nl=False)
        click.echo(f"\nReport written to {shown_path(path)}")


def _refuse_nothing(report: Report) -> None:
    from ragguard.evaluation.result import Status

    results = [result for listed in report.results.values() for result in listed]
    if results and not any(result.status is Status.OK for result in results):
        raise NothingEvaluatedError(
            f"none of the {len(results)} queries could be evaluated; "
            f"{results[0].query.query_id}: {results[0].error}"
        )


def _silent(_suite: str, _count: int) -> Callable[[], None]:
    return lambda: None


def _progress(suite: str, count: int) -> Callable[[], None]:
    """A bar on a terminal; elsewhere a line for every tenth of a long run."""
    if sys.stderr.isatty() and not os.environ.get("CI"):
        bar = click.progressbar(length=count, label=suite, file=sys.stderr, show_pos=True)
        done = iter(range(1, count + 1))

        def advance() -> None:
            bar.update(1)
            if next(done, count) == count:
                bar.render_finish()

        return advance
    return progress_lines(suite, count)


def progress_lines(suite: str, count: int) -> Callable[[], None]:
    """Progress for a log: a line for every tenth of a long run."""
    done = iter(range(1, count + 1))
    step = max(100, -(-count // 10))

    def advance() -> None:
        number = next(done, count)
        if number == count or number % step == 0:
            click.echo(f"{suite}: {number}/{count} queries", err=True)

    return advance
