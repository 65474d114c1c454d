"""`ragguard lint`: check datasets, manifests and configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.errors import ExitCode, UsageError
from ragguard.render import lint_formats

if TYPE_CHECKING:
    from ragguard.lint.excerpts import Excerpt
    from ragguard.lint.request import LintRequest
    from ragguard.lint.result import LintResult
    from ragguard.render.lint_view import LintView


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
@click.option(
    "--base",
    metavar="REF",
    help="Compare with where this branch left REF: RG206, RG404, RG406.",
)
@click.option("--select", multiple=True, metavar="CODES", help="Only these rules; RG3, RG301, ALL.")
@click.option(
    "--extend-select", multiple=True, metavar="CODES", help="These rules too, besides the others."
)
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these rules.")
@click.option("--strict", is_flag=True, help="Warnings make the exit code 1 too.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option(
    "--add-ignores",
    is_flag=True,
    help="Write what is found to ragguard-ignores.yml, and take out what is found no more.",
)
@click.option("--reason", metavar="TEXT", help="With --add-ignores: why the new entries stay.")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend, in place.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="With --fix or --diff: also what needs your judgment; look at --diff first.",
)
@click.option(
    "--reviewed",
    multiple=True,
    metavar="QUERY_ID",
    help="With --fix: record what the chunks labelled for this query say now; ALL for every query.",
)
@click.option("--diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option(
    "--format",
    "form",
    type=click.Choice(lint_formats.NAMES),
    default="text",
    show_default=True,
    help="Form of the findings; github makes annotations.",
)
@click.option("--statistics", is_flag=True, help="Count findings by rule (text, concise and json).")
@click.option(
    "--stdin-filename",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read a dataset from a pipe, as if it were this file.",
)
@click.option(
    "--hook",
    "by_hook",
    is_flag=True,
    help="PATHS are what changed: pass over what is of no suite and no dataset.",
)
@click.option(
    "--output-file",
    "--output",
    "output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to a file instead of printing.",
)
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    config: Path | None,
    corpus: Path | None,
    base: str | None,
    select: Sequence[str],
    extend_select: Sequence[str],
    ignore: Sequence[str],
    strict: bool,
    exit_zero: bool,
    add_ignores: bool,
    reason: str | None,
    fix: bool,
    unsafe_fixes: bool,
    reviewed: tuple[str, ...],
    diff: bool,
    form: str,
    statistics: bool,
    stdin_filename: Path | None,
    by_hook: bool,
    output: Path | None,
) -> None:
    """Check datasets, manifests and configuration.

    PATHS are files or folders; without any, everything that ragguard.yml names is checked. A suite
    is always checked whole. Files that belong to no suite are skipped. - reads a dataset from a
    pipe; with --fix it is printed as fixed, and the findings go to stderr.

    Exits 0 when clean, 1 with errors, 2 when something cannot be read.

    \b
    Examples:
      ragguard lint
      ragguard lint examples/
      ragguard lint eval/docs.jsonl --corpus corpus/manifest.jsonl
      ragguard lint --select RG3 --format json
      ragguard lint --fix
      ragguard lint --base origin/main
      ragguard lint --extend-select RG5 --ignore RG503
      ragguard lint - --stdin-filename eval/docs.jsonl < unsaved.jsonl
      ragguard lint --add-ignores --reason "known since the import of 2024"
    """
    from ragguard.cli.lint_pipe import is_pipe, piped
    from ragguard.cli.output import deliver
    from ragguard.lint.request import LintRequest
    from ragguard.lint.run import run
    from ragguard.lint.selection import Choice

    from_pipe = stdin_filename is not None or is_pipe(paths)
    if reviewed and not (fix or diff):
        raise UsageError(
            "--reviewed changes datasets", hint="give --fix with it, or --diff to look at it first"
        )
    _check_ignoring(reason, add_ignores=add_ignores, fixes=fix or diff, from_pipe=from_pipe)
    _check_statistics(form, statistics)
    choice = Choice(_codes(select), _codes(extend_select), _codes(ignore))
    request = LintRequest(paths, config, corpus, choice, unsafe_fixes, base, by_hook)
    if add_ignores:
        from ragguard.cli.lint_ignores import add_ignores as write_lists

        write_lists(request, reason)
        return
    with piped(paths, stdin_filename) as pipe:
        request = replace(request, piped=pipe)
        done = run(request)
        if output is not None:
            _check_output(output, request, done.result)
        if diff:
            from ragguard.cli.lint_fixes import difference

            pieces: Iterable[str] = [difference(done, reviewed)]
        else:
            if fix:
                from ragguard.cli import lint_fixes

                done = lint_fixes.fix(done, reviewed, pipe)
            view = _view(done.result, form, styled=output is None, strict=strict)
            render = lint_formats.counted if statistics else lint_formats.formatted
            pieces = render(form, done.result, view)
        # What is fixed takes the place of what was read, so that the findings go elsewhere.
        is_prose = form in {"text", "concise"} and not diff
        aside = pipe is not None and fix and not diff
        deliver(pieces, output, err=aside, for_people=is_prose)
    _tell_rest(done.result)
    code = _exit_code(done.result, strict=strict)
    ctx.exit(ExitCode.PASSED if exit_zero and code is ExitCode.FAILED else code)


def _check_output(output: Path, request: LintRequest, result: LintResult) -> None:
    """Refuse to write the findings over what they are about.

    Raises:
        UsageError: the file is a dataset, its sidecar, a manifest or a configuration.
    """
    from ragguard.config.discovery import CONFIG_NAME
    from ragguard.dataset.files import real_path
    from ragguard.dataset.sidecar import sidecar_path

    read = [*request.paths, *(path for path in (request.config, request.corpus) if path)]
    for source in result.files:
        read += [source.path, sidecar_path(source.path), *source.corpora]
    if output.name == CONFIG_NAME or real_path(output) in map(real_path, read):
        raise UsageError(
            f"--output-file {output} is a file that is linted",
            hint="name another file; the findings would take its place",
        )


def _codes(given: Sequence[str]) -> tuple[str, ...]:
    """Codes given apart or with commas, in any case."""
    codes = (code.strip().upper() for each in given for code in each.split(","))
    return tuple(code for code in codes if code)


def _check_ignoring(reason: str | None, *, add_ignores: bool, fixes: bool, from_pipe: bool) -> None:
    if add_ignores and fixes:
        raise UsageError(
            "--add-ignores lists what is left once everything is fixed",
            hint="run `ragguard lint --fix` first",
        )
    if add_ignores and from_pipe:
        raise UsageError("--add-ignores lists what is in files", hint="save the dataset first")
    if reason is not None and not (add_ignores and reason.strip()):
        raise UsageError(
            "--reason says why findings are ignored", hint='--add-ignores --reason "a sentence"'
        )


def _check_statistics(form: str, statistics: bool) -> None:
    if statistics and form not in lint_formats.WITH_STATISTICS:
        raise UsageError(
            f"--statistics has no form {form}",
            hint=f"use --format {' or '.join(lint_formats.WITH_STATISTICS)} with it",
        )


def _view(result: LintResult, form: str, *, styled: bool, strict: bool) -> LintView:
    """How to show the findings; click takes colours out where the terminal is not to have them."""
    from ragguard.config.discovery import repository_root
    from ragguard.render.lint_view import LintView

    folder = Path.cwd()
    return LintView(
        excerpts=_excerpts(result) if form in lint_formats.WITH_EXCERPTS else (),
        colour=styled,
        is_strict=strict,
        folder=str(folder),
        root=str(repository_root(folder) or folder),
    )


def _excerpts(result: LintResult) -> Iterable[Excerpt | None]:
    if not result.diagnostics:
        return ()
    from ragguard.lint.excerpts import excerpts

    return excerpts(result)


def _tell_rest(result: LintResult) -> None:
    from ragguard.cli.output import tell

    for note in result.notes:
        tell(click.style("note:", bold=True), note)
    for fault in result.faults:
        tell(click.style("error:", fg="red", bold=True), str(fault))


def _exit_code(result: LintResult, *, strict: bool) -> ExitCode:
    from ragguard.lint.diagnostic import Severity

    if result.faults:
        return ExitCode.UNUSABLE
    failing = result.diagnostics if strict else range(result.count(Severity.ERROR))
    return ExitCode.FAILED if failing else ExitCode.PASSED
