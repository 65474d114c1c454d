"""`ragguard import qrels`: judgments and the texts of their queries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.cli.import_output import check_output, output_options, warn, write
from ragguard.errors import ExitCode, InputError

if TYPE_CHECKING:
    from ragguard.dataset.imports.joining import ImportedDataset


@click.command()
@click.argument("qrels", type=click.Path(path_type=Path))
@click.option(
    "--queries",
    type=click.Path(path_type=Path),
    required=True,
    help="Texts of the queries: BEIR's queries.jsonl, id<TAB>text lines, or a JSON object.",
)
@output_options
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
    from ragguard.dataset.imports.joining import join
    from ragguard.dataset.imports.qrels import read_qrels
    from ragguard.dataset.imports.queries import read_queries

    versions = {"dataset_version": dataset_version, "corpus_version": corpus_version}
    check_output(output, versions, [qrels, queries], force=force)
    imported = join(
        read_qrels(qrels, shown_path(qrels)), read_queries(queries, shown_path(queries))
    )
    if not imported.rows:
        raise InputError(
            f"no query of {shown_path(qrels)} has a text in {shown_path(queries)}",
            hint="the ids of the two files have nothing in common; nothing was written",
        )
    write(output, imported.rows, versions)
    warn(_notes(imported))
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
