"""`ragguard import table`: datasets in CSV, TSV or JSON under their own names."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ragguard.cli.import_output import check_output, output_options, warn, write
from ragguard.cli.output import echo
from ragguard.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from ragguard.errors import InputError

_MOST_FAULTS_SHOWN = 20


@click.command(short_help="A dataset in CSV, TSV or JSON.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Take a field from a column, or in JSON from a dotted path. query_id can be @hash: "
    "derived from query and context. FIELD may be context.NAME or metadata.NAME.",
)
@click.option(
    "--separator",
    metavar="TEXT",
    help="Between the ids of one cell. list: cells are lists in JSON or Python.",
)
@click.option(
    "--unlabelled",
    type=click.Choice(["error", "unanswerable", "keep"]),
    default="error",
    show_default=True,
    help="What a row without a label is: an error, a query that the corpus cannot answer, or a "
    "row still to be labelled.",
)
@click.option("--rows", metavar="PATH", help="Where the rows are inside a JSON file.")
@click.option(
    "--delimiter", metavar="CHARACTER", help="Between cells. Default: told by the first line."
)
@click.option("--encoding", metavar="NAME", help="Encoding of the files. Default: UTF-8.")
@output_options
def table(
    files: Sequence[Path],
    fields: Sequence[str],
    separator: str | None,
    unlabelled: Literal["error", "unanswerable", "keep"],
    rows: str | None,
    delimiter: str | None,
    encoding: str | None,
    output: Path,
    force: bool,
    dataset_version: str | None,
    corpus_version: str | None,
) -> int:
    """Make a dataset of tables whose columns have other names.

    FILES are CSV or TSV with a first line that names the columns, JSON Lines, a JSON array of
    objects, a JSON object of objects by id, or a JSON object of columns (arrays of one length, or
    objects by id); also gzip. Ids stay the texts they are, and columns that are no field are kept
    under their names.

    Nothing is written while a row cannot be used: each is named with its line (exit code 2).

    \b
    Examples:
      ragguard import table truth.csv -o eval/docs.jsonl \\
        --field query=question --field query_id=@hash --field relevant_ids=document
      ragguard import table golden.csv -o eval/docs.jsonl --separator ';' \\
        --unlabelled unanswerable
      ragguard import table pack.json -o eval/docs.jsonl --rows queries \\
        --field query_id=id --field relevant_ids=expected.id
      ragguard import table val.json -o eval/docs.jsonl \\
        --field query=queries --field relevant_ids=relevant_docs
    """
    from ragguard.config.discovery import shown_path
    from ragguard.dataset.imports.table import import_tables
    from ragguard.dataset.imports.table_options import TableOptions, field_mapping

    options = TableOptions(
        fields=field_mapping(fields),
        separator=_separator(separator),
        unlabelled=unlabelled,
        rows=rows,
        delimiter=_delimiter(delimiter),
        encoding=_encoding(encoding),
    )
    versions = {"dataset_version": dataset_version, "corpus_version": corpus_version}
    check_output(output, versions, files, force=force)
    imported = import_tables(((path, shown_path(path)) for path in files), options)
    if imported.faults:
        _complain(imported.faults)
        return ExitCode.UNUSABLE
    write(output, imported.rows, versions)
    warn(imported.notes)
    return ExitCode.PASSED if imported.is_complete else ExitCode.FAILED


def _separator(given: str | None) -> str | None:
    if given == "":
        raise UsageError("--separator is empty", hint="leave it out for one id in a cell")
    return "\t" if given == "tab" else given


def _delimiter(given: str | None) -> str | None:
    mark = "\t" if given == "tab" else given
    if mark is not None and (len(mark) != 1 or mark in '"\r\n'):
        raise UsageError(
            f"--delimiter {given!r} is not one character", hint="--delimiter ';', or tab"
        )
    return mark


def _encoding(given: str | None) -> str | None:
    if given is None:
        return None
    try:
        found = codecs.lookup(given)
    except (LookupError, ValueError):
        found = None
    if found is None or not getattr(found, "_is_text_encoding", True):
        raise UsageError(
            f"--encoding {given}: no such encoding", hint="for example windows-1252 or utf-16"
        )
    return given


def _complain(faults: Sequence[InputError]) -> None:
    label = click.style("error:", fg="red", bold=True)
    for fault in faults[:_MOST_FAULTS_SHOWN]:
        echo(f"{label} {fault}", err=True)
    rest = len(faults) - _MOST_FAULTS_SHOWN
    if rest > 0:
        click.echo(f"{label} and {rest} more like these", err=True)
    click.echo("nothing was written", err=True)
