"""Reading a report, saying exactly what is wrong with one that cannot be used."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ragguard.errors import InputError
from ragguard.evaluation.result import QueryResult
from ragguard.location import Location
from ragguard.report.model import REPORT_VERSION, Report, Timing
from ragguard.report.records import (
    Record,
    query_from_record,
    report_from_records,
    timing_from_record,
)
from ragguard.report.soundness import is_sound
from ragguard.resources import schema

_AGAIN = "write it again with `ragguard eval`"
_GZIP_MAGIC = b"\x1f\x8b"
_LARGEST = 1 << 30
"""Bytes of a decompressed report: some come from an artifact, and a small file can hold a flood."""
_FOLLOWERS: dict[str, tuple[str, ...]] = {
    "query": ("query", "timing", "summary"),
    "timing": ("summary",),
    "summary": (),
}
"""Which records may follow which; the queries follow the run."""


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def read_report(path: Path, shown: str | None = None) -> Report:
    """Read a report file, plain or gzip.

    Args:
        path: the file.
        shown: its name in errors; None takes the path.

    Raises:
        InputError: it is missing, no report, truncated, or written by another version.
    """
    name = shown or path.as_posix()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read the report: {error.strerror or error}", location=Location(name)
        ) from error
    return report_from_bytes(content, name)


def report_from_bytes(content: bytes, name: str, *, strict: bool = False) -> Report:
    """The report that these bytes hold.

    Args:
        content: the bytes of a report file, plain or gzip.
        name: what to call it in errors.
        strict: check every record against the schema, for a report from an untrusted place;
            otherwise a record is checked only when it cannot be read.

    Raises:
        InputError: as `read_report`.
    """
    return _Assembly(name, strict).assemble(_plain(content, name))


def _plain(content: bytes, name: str) -> bytes:
    if not content.startswith(_GZIP_MAGIC):
        return content
    try:
        plain = gzip.GzipFile(fileobj=io.BytesIO(content)).read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"a gzip file that is damaged or cut off: {error}",
            location=Location(name),
            hint=_AGAIN,
        ) from error
    if len(plain) > _LARGEST:
        raise InputError("more than 1 GiB when decompressed", location=Location(name))
    return plain


class _Assembly:
    """Puts a report together from its lines, knowing where it is when something is wrong."""

    def __init__(self, name: str, strict: bool) -> None:
        self._name = name
        self._strict = strict
        self._line = 0
        self._known: set[tuple[str, str]] = set()

    def assemble(self, content: bytes) -> Report:
        records = self._records(content)
        run = next(records, None)
        if run is None:
            raise self._fault("the report is empty", hint=_AGAIN)
        self._check_run(run)
        queries: list[tuple[str, QueryResult]] = []
        timing: Timing | None = None
        for record in self._in_order(records):
            if record["record"] == "query":
                queries.append(self._query(record, run))
            elif record["record"] == "timing":
                timing = self._timing(record)
        return report_from_records(run, queries, timing)

    def _in_order(self, records: Iterator[Record]) -> Iterator[Record]:
        """The records after the first: queries, times at most once, the summary last."""
        before = "query"
        for record in records:
            kind = record.get("record")
            if kind not in _FOLLOWERS["query"]:
                raise self._fault(f"{kind!r} is no kind of record that may stand here")
            if kind not in _FOLLOWERS[before]:
                raise self._fault(f"a `{kind}` record after the `{before}` record", hint=_AGAIN)
            before = kind
            yield record
        if before != "summary":
            raise self._fault("the report ends before its summary; it was cut off", hint=_AGAIN)

    def _records(self, content: bytes) -> Iterator[Record]:
        for self._line, line in enumerate(content.removesuffix(b"\n").split(b"\n"), 1):
            if not line and self._line == 1:
                return
            try:
                record = _DECODER.decode(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise self._fault(f"not a line of JSON: {error}", hint=_AGAIN) from error
            if not isinstance(record, dict):
                raise self._fault("not a JSON object", hint=_AGAIN)
            yield record

    def _check_run(self, run: Record) -> None:
        if run.get("record") != "run":
            raise self._fault(
                "not a ragguard report: the first record is no `run` record",
                hint="a report is what `ragguard eval` writes",
            )
        if run.get("version") != REPORT_VERSION:
            raise self._fault(
                f"report version {run.get('version')!r}, but this ragguard reads {REPORT_VERSION}",
                hint="evaluate both sides with the same version of ragguard",
            )
        self._check_schema(run)

    def _query(self, record: Record, run: Record) -> tuple[str, QueryResult]:
        sound = is_sound(record)
        if self._strict or not sound:
            self._check_schema(record)
        if not sound:
            raise self._fault("a query record with a number out of range", hint=_AGAIN)
        try:
            suite, result = record["suite"], query_from_record(record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            self._check_schema(record)
            raise self._fault(f"a query record that cannot be read: {error!r}") from error
        if suite not in run["suites"]:
            raise self._fault(f"suite {suite!r} is not in the run record")
        if (suite, result.query.query_id) in self._known:
            raise self._fault(
                f"query {result.query.query_id!r} of suite {suite!r} stands twice in the report"
            )
        self._known.add((suite, result.query.query_id))
        return suite, result

    def _timing(self, record: Record) -> Timing:
        self._check_schema(record)
        return timing_from_record(record)

    def _check_schema(self, record: Record) -> None:
        error: Any = next(_validator(record["record"]).iter_errors(record), None)
        if error is not None:
            where = ".".join(map(str, error.absolute_path)) or "the record"
            raise self._fault(f"{where}: {error.message[:300]}", hint=_AGAIN)

    def _fault(self, message: str, hint: str | None = None) -> InputError:
        return InputError(message, location=Location(self._name, self._line or None), hint=hint)


@cache
def _validator(kind: str) -> Any:
    from jsonschema import Draft202012Validator

    definitions = schema("report")["$defs"]
    return Draft202012Validator({"$defs": definitions, "$ref": f"#/$defs/{kind}"})
