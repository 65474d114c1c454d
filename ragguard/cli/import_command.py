"""`ragguard import`: bring a dataset, qrels or run from another tool."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.errors import ExitCode, InputError, UsageError

if TYPE_CHECKING:
    from ragguard.dataset.imports.joining import ImportedDataset


@click.group(name="import", short_help="Bring a dataset, qrels or run from another tool.")
def command() -> None:
    """Bring a dataset from another tool into ragguard's format.

    \b
    Example:
      ragguard import qrels qrels/test.tsv --queries queries.jsonl --output eval/docs.jsonl
    """


@command.command()
@click.argument("qrels", type=click.Path(path_type=Path))
@click.option(
    "--queries",
    type=click.Path(path_type=Path),
    required=True,
    help="Texts of the queries: BEIR's queries.jsonl, id<TAB>text lines, or a JSON object.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Dataset file."
)
@click.option("--force", is_flag=True, help="Overwrite the dataset file and its sidecar.")
@click.option("--dataset-version", metavar="V", help="Written to the sidecar.")
@click.option("--corpus-version", metavar="V", help="Written to the sidecar.")
def qrels(
    qrels: Path,
    queries: Path,
    output: Path,
    force: bool,
    dataset_version: str | None,
    corpus_version: str | None,
) -> int:
    """Make a dataset of QRELS and the texts of its queries.

    QRELS is a TREC qrels file, a BEIR qrels TSV, JSON Lines, or {"query": {"chunk": grade}}.
    Nothing is dropped silently: judgments of queries without a text are counted, and the exit
    code is then 1.

    \b
    Examples:
      ragguard import qrels qrels.trec --queries topics.tsv --output eval/docs.jsonl
      ragguard import qrels qrels/test.tsv --queries queries.jsonl --output eval/docs.jsonl
    """
    from ragguard.config.discovery import shown_path
    from ragguard.dataset.files import exists
    from ragguard.dataset.imports.joining import join, row_line
    from ragguard.dataset.imports.qrels import read_qrels
    from ragguard.dataset.imports.queries import read_queries
    from ragguard.dataset.imports.writing import write_dataset
    from ragguard.dataset.sidecar import sidecar_path

    versions = {"dataset_version": dataset_version, "corpus_version": corpus_version}
    written = [output, *([sidecar_path(output)] if any(versions.values()) else [])]
    for path in written:
        if exists(path) and not force:
            raise UsageError(f"{shown_path(path)} exists", hint="overwrite it with --force")
        if path.resolve() in {qrels.resolve(), queries.resolve()}:
            raise UsageError(
                f"{shown_path(path)} is what is imported", hint="write the dataset to another file"
            )
    imported = join(
        read_qrels(qrels, shown_path(qrels)), read_queries(queries, shown_path(queries))
    )
    if not imported.rows:
        raise InputError(
            f"no query of {shown_path(qrels)} has a text in {shown_path(queries)}",
            hint="the ids of the two files have nothing in common; nothing was written",
        )
    write_dataset(output, map(row_line, imported.rows), versions)
    click.echo(f"{len(imported.rows)} queries written to {shown_path(output)}")
    for note in _notes(imported):
        click.echo(f"{click.style('warning:', fg='yellow')} {note}", err=True)
    return ExitCode.FAILED if imported.unknown else ExitCode.PASSED


def _notes(imported: ImportedDataset) -> Iterator[str]:
    if imported.unknown:
        count = sum(imported.unknown.values())
        shown = ", ".join(map(repr, list(imported.unknown)[:5]))
        yield (
            f"{len(imported.unknown)} judged query ids have no text and were left out, "
            f"with {count} judgments: {shown}{', …' if len(imported.unknown) > 5 else ''}"
        )
    if imported.unjudged:
        yield f"{len(imported.unjudged)} queries have no judgment and were left out"
    if imported.without_relevant:
        yield f"{len(imported.without_relevant)} queries have no relevant chunk (all grades 0)"
    if imported.negative:
        yield f"{imported.negative} negative grades were written as 0"
