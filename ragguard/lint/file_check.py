"""One file looked at line by line and row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ragguard.config.model import Suite
from ragguard.dataset.fault import FaultKind
from ragguard.dataset.lines import Block, SourceLine, read_blocks
from ragguard.dataset.loading import ReadLine, read_row
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError
from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.plain.row import PlainRow
from ragguard.lint.plain.rows import PlainRowReader
from ragguard.lint.rule import Scope
from ragguard.lint.rules.not_utf8 import utf16
from ragguard.lint.selection import Selection
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.lint.text_line import TextLine
from ragguard.lint.whole_json import whole_json
from ragguard.location import Location


class FileCheck:
    """Checks the files of a suite, one after the other.

    Attributes:
        rows: how many lines that hold something were read so far.
    """

    def __init__(self, suite: Suite, selection: Selection, facts: SuiteFacts | None = None) -> None:
        """Prepare for a suite.

        Args:
            suite: whose field mapping and policy hold.
            selection: the rules that run.
            facts: takes note of every row; None where no rule looks at the whole suite.
        """
        self.rows = 0
        self._suite = suite
        self._mapping = FieldMapping(suite.fields)
        self._line_rules = selection.by_scope[Scope.LINE]
        self._row_rules = selection.by_scope[Scope.ROW]
        every_row = any(rule.looks_at_every_row for rule in self._row_rules)
        self._is_plain = _never if every_row else PlainRow(suite)
        self._plain_rows = None if every_row else PlainRowReader(suite)
        self._facts = facts

    def diagnostics(self, path: Path, shown: str) -> Iterator[Diagnostic]:
        """What the rules for lines and rows find in a file.

        Raises:
            InputError: the file cannot be read, is a table by its name, or holds no row.
        """
        _refuse_table(path, shown)
        before, line_end = self.rows, b"\n"
        for block in read_blocks(path, shown):
            for line in self._without_plain(block):
                read = read_row(line, shown, self._mapping)
                whole = whole_json(path) if _may_go_on(read) else None
                yield from self._look_at(TextLine(shown, read, line_end, whole))
                if whole or (line.number == 1 and utf16(line.raw)):
                    return
            line_end = b"\r\n" if block.content.endswith(b"\r\n") else b"\n"
        if self.rows == before:
            raise InputError(
                "the dataset is empty: it holds no row",
                location=Location(shown),
                hint="write one JSON object a line, or remove the file",
            )

    def _without_plain(self, block: Block) -> Iterable[SourceLine]:
        """The lines of a block that need a look of their own; the others are taken note of."""
        if self._plain_rows is None or block.number == 1 or not block.is_terminated:
            return block.lines()
        rows, rest = self._plain_rows.read(block)
        if rows is None:
            return rest
        if self._facts is not None:
            if not self._facts.takes(rows):
                return block.lines()
            self._facts.add_plain(rows)
        self.rows += len(rows.numbers)
        return rest

    def _look_at(self, line: TextLine) -> Iterator[Diagnostic]:
        read, row = line.read, line.read.row
        if row is None or read.faults or not read.line.is_terminated or line.number == 1:
            yield from self._look_at_line(line)
        if row is None:
            self.rows += bool(read.text)
            return
        self.rows += 1
        if not self._is_plain(row.value, row.fields):
            yield from self._look_at_row(row)
        elif self._plain_rows is not None:
            self._plain_rows.learn(row)
        if self._facts is not None:
            self._facts.add(row)

    def _look_at_line(self, line: TextLine) -> Iterator[Diagnostic]:
        for rule in self._line_rules:
            yield from rule.diagnostics(line)

    def _look_at_row(self, row: DatasetRow) -> Iterator[Diagnostic]:
        for rule in self._row_rules:
            yield from rule.diagnostics(row, self._suite)


def _may_go_on(read: ReadLine) -> bool:
    """Whether a line is the first, and may be the beginning of one JSON value over many lines."""
    if read.line.number != 1 or read.row is not None or not read.line.is_terminated:
        return False
    return read.line.content.lstrip()[:1] in {b"[", b"{"} and any(
        fault.kind is FaultKind.SYNTAX for fault in read.faults
    )


def _refuse_table(path: Path, shown: str) -> None:
    """A finding for each of its lines would help nobody."""
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".csv", ".tsv")):
        raise InputError(
            f"a table in {name.rpartition('.')[2].upper()}, not JSON Lines",
            location=Location(shown),
            hint="make a dataset of it: ragguard import table",
        )


def _never(value: object, fields: object) -> bool:
    """In place of the look that lets plain rows through: none is."""
    del value, fields
    return False
