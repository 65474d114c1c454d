"""`ragguard lint`: check datasets, manifests and configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.errors import ExitCode

if TYPE_CHECKING:
    from ragguard.lint.result import LintResult
    from ragguard.lint.run import LintRun


@click.command(short_help="Check datasets, manifests and configuration.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration. Default: ragguard.yml upwards from each path.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Manifest to look labels up in, in place of the configured one.",
)
@click.option("--select", multiple=True, metavar="CODES", help="Only these rules; RG3, RG301, ALL.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these rules.")
@click.option("--strict", is_flag=True, help="Warnings make the exit code 1 too.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend, in place.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Form of the findings; github makes annotations.",
)
@click.option("--statistics", is_flag=True, help="Count findings by rule (text only).")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    config: Path | None,
    corpus: Path | None,
    select: Sequence[str],
    ignore: Sequence[str],
    strict: bool,
    exit_zero: bool,
    fix: bool,
    diff: bool,
    form: str,
    statistics: bool,
) -> None:
    """Check datasets, manifests and configuration.

    PATHS are files or folders; without any, everything that ragguard.yml names is checked. A suite
    is always checked whole. Files that belong to no suite are skipped.

    Exits 0 when clean, 1 with errors, 2 when something cannot be read.

    \b
    Examples:
      ragguard lint
      ragguard lint examples/
      ragguard lint eval/docs.jsonl --corpus corpus/manifest.jsonl
      ragguard lint --select RG3 --format json
      ragguard lint --fix
    """
    from ragguard.lint.run import LintRequest, run

    request = LintRequest(paths, config, corpus, _codes(select), _codes(ignore))
    done = run(request)
    if diff:
        _show_diff(done)
    else:
        if fix:
            _fix(done)
            done = run(request)
        _show(done.result, form, statistics=statistics)
    _tell_rest(done.result)
    code = _exit_code(done.result, strict=strict)
    ctx.exit(ExitCode.PASSED if exit_zero and code is ExitCode.FAILED else code)


def _codes(given: Sequence[str]) -> tuple[str, ...]:
    """Codes given apart or with commas, in any case."""
    codes = (code.strip().upper() for each in given for code in each.split(","))
    return tuple(code for code in codes if code)


def _show_diff(done: LintRun) -> None:
    from ragguard.lint.fixing import unified_diff

    for file in done.fixed_files():
        click.echo(unified_diff(file), nl=False)


def _fix(done: LintRun) -> None:
    from ragguard.lint.fixing import write

    files = list(done.fixed_files())
    write(files)
    for file in files:
        what = "1 finding" if file.fixes == 1 else f"{file.fixes} findings"
        click.echo(f"fixed {what} in {file.source.shown}", err=True)


def _show(result: LintResult, form: str, *, statistics: bool) -> None:
    if form == "json":
        from ragguard.cli.output import json_text
        from ragguard.render.lint_json import lint_object

        click.echo(json_text(lint_object(result)), nl=False)
    elif form == "github":
        from ragguard.render.lint_github import lint_github

        click.echo(lint_github(result), nl=False)
    else:
        from ragguard.render.lint_text import lint_text

        # click takes the colours out again where they are not wanted.
        click.echo(lint_text(result, colour=True, statistics=statistics), nl=False)


def _tell_rest(result: LintResult) -> None:
    for note in result.notes:
        click.echo(f"{click.style('note:', bold=True)} {note}", err=True)
    for fault in result.faults:
        click.echo(f"{click.style('error:', fg='red', bold=True)} {fault}", err=True)


def _exit_code(result: LintResult, *, strict: bool) -> ExitCode:
    from ragguard.lint.diagnostic import Severity

    if result.faults:
        return ExitCode.UNUSABLE
    failing = result.diagnostics if strict else range(result.count(Severity.ERROR))
    return ExitCode.FAILED if failing else ExitCode.PASSED
