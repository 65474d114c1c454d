"""Tables of other tools made into the rows of a dataset."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragguard.dataset.imports.json_table import json_table, lines_table
from ragguard.dataset.imports.separated import separated_table
from ragguard.dataset.imports.source_table import SourceRow, SourceTable
from ragguard.dataset.imports.table_columns import chosen_columns, column_faults, wanted_columns
from ragguard.dataset.imports.table_notes import lost_note, table_notes
from ragguard.dataset.imports.table_options import TableOptions
from ragguard.dataset.imports.table_row import RowFault, canonical_row
from ragguard.dataset.imports.table_text import read_text
from ragguard.errors import InputError
from ragguard.location import Location


@dataclass(slots=True)
class ImportedTable:
    """Rows of a dataset, and what was in the way.

    Attributes:
        rows: canonical rows, in the order of files and rows.
        faults: rows and files that cannot be used; with any, the rows are not all of them.
        notes: what is doubtful, or was left out, in words.
        is_complete: whether every value that belongs to a query has its row.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    faults: list[InputError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_complete: bool = True


def import_tables(files: Iterable[tuple[Path, str]], options: TableOptions) -> ImportedTable:
    """The rows of a dataset that tables hold.

    Args:
        files: each with its name in messages.
        options: which column is which field, and the like.

    Returns:
        The rows; a faulty one hides no other fault.
    """
    imported = ImportedTable()
    for path, shown in files:
        try:
            table = open_table(path, shown, options)
        except InputError as fault:
            imported.faults.append(fault)
        else:
            _add(imported, table, options)
    if not imported.faults:
        imported.notes += table_notes(imported.rows, options)
    return imported


def open_table(path: Path, shown: str, options: TableOptions) -> SourceTable:
    """One file as a table; its form is told by its name and how it begins.

    Raises:
        InputError: it cannot be read, or is no table.
    """
    text = read_text(path, shown, options.encoding)
    name = path.name.removesuffix(".gz").lower()
    begins = text.lstrip()[:1]
    is_lines = name.endswith((".jsonl", ".ndjson")) or (begins == "{" and _is_json_lines(text))
    is_separated = name.endswith((".csv", ".tsv"))
    is_json = is_lines or name.endswith(".json") or (begins in {"{", "["} and not is_separated)
    if options.rows is not None and (is_lines or not is_json):
        raise InputError(
            f"--rows {options.rows} is for a file that is one JSON value",
            location=Location(shown),
            hint="leave it out",
        )
    if is_lines:
        return lines_table(text, shown)
    if is_json:
        return json_table(text, shown, wanted_columns(options.fields), options.rows)
    return separated_table(text, path, shown, options.delimiter)


def _is_json_lines(text: str) -> bool:
    """Whether the first line alone is an object, and more lines follow."""
    first, _, rest = text.lstrip().partition("\n")
    if not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _add(imported: ImportedTable, table: SourceTable, options: TableOptions) -> None:
    imported.faults += table.faults
    in_columns = list(column_faults(table, options))
    imported.faults += in_columns
    if in_columns:
        return
    columns = chosen_columns(table, options.fields)
    for row in table.rows:
        made, faults = canonical_row(row, columns, options)
        imported.faults += _located(row, faults)
        imported.rows.append(made)
    for column, (count, ids) in (table.lost or {}).items():
        imported.notes.append(lost_note(column, count, ids))
        imported.is_complete = False
    for column in table.ignored:
        what = f"{column!r} holds no column of the rows" if column else "a column has no name"
        imported.notes.append(f"{table.shown}: {what} and was left out")


def _located(row: SourceRow, faults: Iterable[RowFault]) -> Iterator[InputError]:
    for fault in faults:
        yield InputError(fault.message, location=row.locate(), hint=fault.hint)
