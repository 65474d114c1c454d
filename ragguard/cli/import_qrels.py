"""`ragguard import qrels`: judgments and the texts of their queries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

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
    help="Texts of the queries: BEIR's queries.jsonl, id<TAB>text lines, a JSON object, or TREC "
    "topics.",
)
@click.option(
    "--unknown",
    type=click.Choice(["drop", "keep"]),
    default="drop",
    show_default=True,
    help="Judged queries without a text: leave them out, or write rows without a query, so that "
    "`ragguard lint` names each.",
)
@output_options
def qrels(
    qrels: Path,
    queries: Path,
    unknown: Literal["drop", "keep"],
    output: Path,
    force: bool,
    dataset_version: str | None,
    corpus_version: str | None,
) -> int:
    """Make a dataset of QRELS and the texts of its queries.

    QRELS is a TREC qrels file, a BEIR qrels TSV, JSON Lines, {"query": {"chunk": grade}} or
    {"query": ["chunk"]}. Nothing is dropped silently: judgments of queries without a text are
    counted, and the exit code is then 1.

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
        read_qrels(qrels, shown_path(qrels)),
        read_queries(queries, shown_path(queries)),
        keep_unknown=unknown == "keep",
    )
    if len(imported.rows) == (len(imported.unknown) if unknown == "keep" else 0):
        raise InputError(
            f"no query of {shown_path(qrels)} has a text in {shown_path(queries)}",
            hint="the ids of the two files have nothing in common; nothing was written",
        )
    write(output, imported.rows, versions)
    warn(_notes(imported, kept=unknown == "keep"))
    return ExitCode.FAILED if imported.unknown and unknown == "drop" else ExitCode.PASSED


def _notes(imported: ImportedDataset, *, kept: bool) -> Iterator[str]:
    if imported.unknown:
        count = sum(imported.unknown.values())
        shown = ", ".join(map(repr, list(imported.unknown)[:5]))
        what = "are written without one" if kept else "were left out"
        yield (
            f"{len(imported.unknown)} judged query ids have no text and {what}, "
            f"with {count} judgments: {shown}{', …' if len(imported.unknown) > 5 else ''}"
            f"{_padding(imported)}"
            + ("" if kept else "; --unknown keep writes them, for `ragguard lint` to name each")
        )
    if imported.unjudged:
        yield f"{len(imported.unjudged)} queries have no judgment and were left out"
    if imported.without_relevant:
        yield f"{len(imported.without_relevant)} queries have no relevant chunk (all grades 0)"
    if imported.negative:
        yield f"{imported.negative} negative grades were written as 0"


def _padding(imported: ImportedDataset) -> str:
    """What is to be said when ids differ by leading zeros only; they are compared as they are."""
    bare = {query_id.lstrip("0"): query_id for query_id in imported.unjudged}
    for query_id in imported.unknown:
        other = bare.get(query_id.lstrip("0"))
        if other is not None:
            return f" (is {query_id!r} the query {other!r}? leading zeros count)"
    return ""
