"""`ragguard demo`: the whole chain on the bundled example."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from ragguard.errors import ExitCode, UsageError
from ragguard.resources import examples

WORSE = "search: {tokenizer: unicode61}"
GOOD = "search: {}"

_INTRODUCTION = """\
Tallyhaven is an invented billing platform. Its documentation (262 chunks) is the corpus, 139
questions with the chunks that answer them are the dataset, and ragguard's built-in full-text
search is the retriever. Everything happens in {folder}.
"""


@click.command(short_help="Run the whole chain on the bundled example.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ragguard-demo"),
    show_default=True,
    help="Folder that takes the example and the reports.",
)
def command(output: Path) -> None:
    """Lint, evaluate, make the search worse, evaluate again, compare, show the comment.

    Every line that starts with $ is a command you can run yourself in the folder it names.

    \b
    Example:
      ragguard demo --output /tmp/demo
    """
    _copy_example(output)
    click.echo(_INTRODUCTION.format(folder=click.format_filename(output)))
    with _working_in(output):
        _say("Are the labels sound?")
        _run("lint", ".")
        _say("How good is the search?")
        _run("eval", "--output", "base.jsonl", "--quiet")
        _run("report", "base.jsonl")
        _say("Someone switches stemming off. It looks harmless in review:")
        _make_search_worse(Path("ragguard.yml"))
        _run("eval", "--output", "head.jsonl", "--quiet")
        _say("What does the reviewer see?")
        _run("diff", "base.jsonl", "head.jsonl", expect=ExitCode.FAILED)
        _run(
            *("diff", "base.jsonl", "head.jsonl", "--format", "markdown"),
            *("--output", "comment.md"),
            expect=ExitCode.FAILED,
        )
        click.echo(Path("comment.md").read_text(encoding="utf-8"))
    click.secho("Done.", bold=True)
    click.echo(
        f"The reports and the comment are in {click.format_filename(output)}: "
        "base.jsonl, head.jsonl, comment.md."
    )


def _copy_example(output: Path) -> None:
    try:
        occupied = output.exists() and any(output.iterdir())
        if not occupied or (output / "ragguard.yml").is_file():
            shutil.copytree(examples(), output, dirs_exist_ok=True)
            return
    except (OSError, shutil.Error) as error:
        raise UsageError(
            f"cannot write the demo to {output}: {getattr(error, 'strerror', None) or error}",
            hint="name another folder with --output",
        ) from error
    raise UsageError(
        f"{output} holds something that is no ragguard demo",
        hint="name another folder with --output",
    )


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _say(text: str) -> None:
    click.secho(f"\n{text}", bold=True)


def _run(*arguments: str, expect: ExitCode = ExitCode.PASSED) -> None:
    """Run a command of ragguard as a user would; leave when it ends otherwise than expected."""
    from ragguard.cli import ragguard_command

    click.secho(f"$ ragguard {' '.join(arguments)}", fg="cyan")
    sys.stdout.flush()
    code = _exit_code(ragguard_command, arguments)
    if code != expect:
        click.echo(f"expected exit code {expect:d}, got {code}", err=True)
        click.get_current_context().exit(code or ExitCode.FAILED)
    if code:
        click.secho(f"(exit code {code})", dim=True)


def _exit_code(group: click.Group, arguments: Sequence[str]) -> int:
    return int(group.main(list(arguments), prog_name="ragguard", standalone_mode=False) or 0)


def _make_search_worse(config: Path) -> None:
    text = config.read_text(encoding="utf-8")
    click.secho(f"- {GOOD}", fg="red")
    click.secho(f"+ {WORSE}", fg="green")
    if GOOD not in text:
        raise UsageError(f"{config} has no line {GOOD!r}; the example was changed by hand")
    config.write_text(text.replace(GOOD, WORSE), encoding="utf-8")
