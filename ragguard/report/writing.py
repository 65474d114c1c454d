"""Writing a report: whole or not at all."""

from __future__ import annotations

import errno
import gzip
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragguard.atomic import replace_file
from ragguard.errors import InputError
from ragguard.location import Location
from ragguard.report.model import Report
from ragguard.report.records import to_records

_UNICODE, _ASCII = (
    json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"))
    for ascii_only in (False, True)
)


def write_report(report: Report, path: Path) -> None:
    """Write a report, compressed when the name ends in `.gz`.

    The file appears complete or not at all: it is written beside its place and moved there.
    The same report gives the same bytes.

    Raises:
        InputError: the place cannot be written to.
    """
    with _told_of(path):
        replace_file(path, report_bytes(report, compressed=path.name.endswith(".gz")))


def check_place(path: Path) -> None:
    """Look at the place of a report before an hour of asking is lost for it.

    Raises:
        InputError: the place cannot be written to.
    """
    with _told_of(path):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is read-only", str(path))
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot write the report: {error.strerror or error}",
            location=Location(path.as_posix()),
            hint="name another place with --output",
        ) from error


def report_bytes(report: Report, *, compressed: bool = False) -> bytes:
    """The bytes of a report file."""
    plain = b"".join(_lines(report))
    return gzip.compress(plain, mtime=0) if compressed else plain


def _lines(report: Report) -> Iterator[bytes]:
    texts: dict[int, bytes] = {}
    for record in to_records(report):
        yield _query_line(record, texts) if record["record"] == "query" else json_line(record)


def _query_line(record: dict[str, Any], texts: dict[int, bytes]) -> bytes:
    """A query record as `json_line` writes it.

    Queries whose rankings look the same share one mapping of values (see `score_results`), which
    is most of a record and is written out once for all of them.
    """
    metrics = record.pop("metrics")
    text = texts.get(id(metrics))
    if text is None:
        text = texts[id(metrics)] = json_line(metrics)
    return json_line(record)[:-2] + b',"metrics":' + text[:-1] + b"}\n"


def json_line(record: dict[str, Any]) -> bytes:
    """One record as a line of JSON in UTF-8; a lone surrogate, which UTF-8 lacks, is escaped."""
    try:
        return _json(record, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return _json(record, ensure_ascii=True).encode("ascii") + b"\n"


def _json(record: dict[str, Any], *, ensure_ascii: bool) -> str:
    return (_ASCII if ensure_ascii else _UNICODE).encode(record)
