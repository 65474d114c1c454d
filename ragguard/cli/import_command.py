"""`ragguard import`: bring a dataset, qrels or run from another tool."""

from __future__ import annotations

import click

from ragguard.cli.import_qrels import qrels
from ragguard.cli.import_table import table


@click.group(name="import", short_help="Bring a dataset, qrels or run from another tool.")
def command() -> None:
    """Bring a dataset from another tool into ragguard's format.

    \b
    Examples:
      ragguard import table eval.csv --field query=question --field query_id=@hash \\
        --field relevant_ids=document --output eval/docs.jsonl
      ragguard import qrels qrels/test.tsv --queries queries.jsonl --output eval/docs.jsonl
    """


command.add_command(table)
command.add_command(qrels)
