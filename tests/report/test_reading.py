"""A report that cannot be used says why, and where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragguard.errors import ExitCode, InputError
from ragguard.report.reading import read_report, report_from_bytes
from ragguard.report.summary import summarise
from ragguard.report.writing import report_bytes
from tests.report.building import full_report

CONTENT = report_bytes(full_report())
LINES = CONTENT.split(b"\n")[:-1]


def fault(content: bytes, *, strict: bool = False) -> InputError:
    """What is said of these bytes."""
    with pytest.raises(InputError) as raised:
        report_from_bytes(content, "base.jsonl", strict=strict)
    assert raised.value.exit_code is ExitCode.UNUSABLE
    assert str(raised.value).startswith("base.jsonl")
    return raised.value


def changed(line: int, change: Callable[[Any], Any]) -> bytes:
    """The report with one record (1-based line) changed."""
    record = json.loads(LINES[line - 1])
    change(record)
    lines = [*LINES[: line - 1], json.dumps(record).encode(), *LINES[line:]]
    return b"\n".join(lines) + b"\n"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """Under the name the user knows it by."""
    with pytest.raises(InputError, match=r"^base: cannot read the report: No such file"):
        read_report(tmp_path / "absent.jsonl", "base")


def test_a_directory_is_no_report(tmp_path: Path) -> None:
    """It says what it is."""
    with pytest.raises(InputError, match="cannot read the report: Is a directory"):
        read_report(tmp_path)


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"", 1, "the report is empty"),
        (b"\n", 1, "the report is empty"),
        (b"not json\n", 1, "not a line of JSON"),
        (b"[]\n", 1, "not a JSON object"),
        (b'{"query_id": "q1", "query": "?"}\n', 1, "not a ragguard report"),
        (b"\xff\xfe{\x00}\x00", 1, "not a"),
        (CONTENT[:-40], 7, "not a line of JSON"),
        (b"\n".join(LINES[:-1]) + b"\n", 6, "ends before its summary"),
        (LINES[0] + b"\n", 1, "ends before its summary"),
        (b"\n".join([*LINES, LINES[1]]), 8, "a `query` record after the `summary` record"),
        (b"\n".join([*LINES, LINES[6]]), 8, "a `summary` record after the `summary` record"),
        (b"\n".join([LINES[0], LINES[5], *LINES[1:]]), 3, "a `query` record after the `timing`"),
        (b"\n".join([*LINES[:6], LINES[5], LINES[6]]), 7, "a `timing` record after the `timing`"),
        (b"\n".join([LINES[0], LINES[0], *LINES[1:]]), 2, "'run' is no kind of record"),
        (b"\n".join(LINES[1:]), 1, "first record is no `run` record"),
        (
            b"\n".join([*LINES[:2], LINES[1], *LINES[2:]]),
            3,
            "query 'q1' of suite 'docs' stands twice",
        ),
        (b"\n".join([*LINES[:2], b"", *LINES[2:]]), 3, "not a line of JSON"),
        (b"\n".join([LINES[0], b"[" * 100_000, *LINES[1:]]), 2, "not a line of JSON"),
    ],
)
def test_what_is_no_whole_report_is_refused_at_its_line(
    content: bytes, line: int, said: str
) -> None:
    """File, line, and what is wrong there."""
    error = fault(content)
    assert said in error.message
    assert error.location is not None
    assert error.location.line == line


@pytest.mark.parametrize("kept", [5, 30, -9, -1])
def test_half_a_gzip_file_is_damaged(kept: int) -> None:
    """Wherever it was cut."""
    assert "damaged or cut off" in fault(gzip.compress(CONTENT)[:kept]).message


def test_gzip_of_something_else_is_told_by_its_first_line() -> None:
    """Compression says nothing of the content."""
    assert "not a line of JSON" in fault(gzip.compress(b"hello")).message


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_version_is_named_with_the_way_out(version: object) -> None:
    """Both numbers, and what to do."""
    error = fault(changed(1, lambda run: run.update(version=version)))
    assert f"report version {version!r}" in error.message
    assert "same version of ragguard" in (error.hint or "")


@pytest.mark.parametrize(
    ("line", "change", "said"),
    [
        (1, lambda run: run.pop("partial"), "'partial' is a required property"),
        (1, lambda run: run.update(extra=1), "'extra' was unexpected"),
        (1, lambda run: run["suites"]["docs"].update(primary="recal@5"), "suites.docs.primary"),
        (1, lambda run: run["suites"]["docs"]["gates"].update({"r@x": {}}), "suites.docs.gates"),
        (1, lambda run: run["suites"]["docs"]["gates"].update(forbidden="no"), "gates.forbidden"),
        (1, lambda run: run["suites"].clear(), "suites"),
        (2, lambda query: query.pop("metrics"), "'metrics' is a required property"),
        (2, lambda query: query["metrics"].update(rr="1"), "metrics.rr"),
        (2, lambda query: query.update(status="fine"), "status"),
        (2, lambda query: query.update(suite="other"), "suite 'other' is not in the run record"),
        (2, lambda query: query["ranking"].append(["c"]), "ranking.3"),
        (2, lambda query: query["ranking"].append([7, None]), "ranking.3.0"),
        (2, lambda query: query["row"].update(relevant_ids="ab"), "row.relevant_ids"),
        (2, lambda query: query["row"].update(weight=0), "row.weight"),
        (3, lambda query: query["row"]["judgments"].update(a=1.5), "row.judgments.a"),
        (3, lambda query: query["stages"].update(reranked=None), "stages.reranked"),
        (6, lambda timing: timing.update(seconds=-1), "seconds"),
    ],
)
def test_a_record_of_another_shape_is_refused_with_the_field(
    line: int, change: Callable[[Any], Any], said: str
) -> None:
    """Whether every record is checked against the schema or only the odd ones."""
    for strict in (False, True):
        error = fault(changed(line, change), strict=strict)
        assert said in error.message
        assert error.location is not None
        assert error.location.line == line


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 400])
def test_a_number_that_is_no_double_is_refused(number: str) -> None:
    """Python's JSON reader would take each of these."""
    content = CONTENT.replace(b'["x",0.5]', f'["x",{number}]'.encode())
    assert content != CONTENT
    for strict in (False, True):
        error = fault(content, strict=strict)
        assert error.location is not None
        assert error.location.line == 2


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place within a JSON value."""
    children: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    return [path, *(found for key, child in children for found in paths(child, (*path, key)))]


PLACES = [
    (line, path) for line in range(1, 7) for path in paths(json.loads(LINES[line - 1])) if path
]
intruders = st.sampled_from([None, True, 0, -1, 1.5, "", "x", [], {}, [1], [[]], {"a": 1}])


@settings(deadline=None, max_examples=200)
@given(place=st.sampled_from(PLACES), intruder=intruders, strict=st.booleans())
def test_whatever_stands_anywhere_is_refused_or_can_be_used(
    place: tuple[int, tuple[Any, ...]], intruder: object, strict: bool
) -> None:
    """Never a traceback, neither in reading nor in what reads on."""
    line, path = place

    def intrude(record: Any) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = intruder

    try:
        report = report_from_bytes(changed(line, intrude), "base.jsonl", strict=strict)
    except InputError as error:
        assert str(error).startswith("base.jsonl:")
    else:
        summarise(report)


@settings(deadline=None, max_examples=200)
@given(cut=st.integers(0, len(CONTENT) - 2), compressed=st.booleans())
def test_a_report_cut_anywhere_is_never_taken_for_a_whole_one(cut: int, compressed: bool) -> None:
    """A half-written file is no baseline."""
    content = gzip.compress(CONTENT)[: cut % 900] if compressed else CONTENT[:cut]
    fault(content)
