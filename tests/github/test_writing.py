"""Summary, outputs and annotations: what the runner reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.errors import UsageError
from ragguard.github.action import log_line
from ragguard.github.annotations import Annotation, annotation_lines
from ragguard.github.outputs import write_outputs
from ragguard.github.summary import LARGEST_SUMMARY, append_summary, fitting
from ragguard.location import Location


def test_a_summary_is_counted_in_bytes(tmp_path: Path) -> None:
    """Of two summaries that together are too long the second loses whole lines, and says so."""
    path = tmp_path / "summary.md"
    append_summary(path, "ä" * 300_000 + "\n")
    append_summary(path, "€€€€\n" * 100_000)
    content = path.read_bytes()
    assert LARGEST_SUMMARY - 20 <= len(content) <= LARGEST_SUMMARY
    told = content.decode()
    assert told.endswith("the report has it all.\n")
    assert "€€€€\n\n\n…" in told


def test_a_full_summary_takes_nothing_more() -> None:
    """Better nothing than a summary that is dropped whole."""
    assert fitting("x" * 1000, 10) == b""
    assert fitting("short\n", 10) == b"short\n"


def test_outputs_cannot_be_forged(tmp_path: Path) -> None:
    """A value with line breaks and delimiters of every kind stays one value."""
    path = tmp_path / "output"
    path.write_text("before=1\n")
    value = "one\nEOF\nverdict=passed\nverdict<<EOF\npassed\nEOF"
    write_outputs(path, {"json": value, "verdict": "failed"})
    assert read_like_a_runner(path) == {"before": "1", "json": value, "verdict": "failed"}


def read_like_a_runner(path: Path) -> dict[str, str]:
    """The outputs in a file, as the runner takes them."""
    found: dict[str, str] = {}
    lines = iter(path.read_text("utf-8").splitlines())
    for line in lines:
        name, heredoc, delimiter = line.partition("<<")
        if not heredoc:
            name, _, found[name] = line.partition("=")
            continue
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """No traceback."""
    with pytest.raises(UsageError, match="cannot write the job summary"):
        append_summary(tmp_path, "text")
    with pytest.raises(UsageError, match="cannot write the outputs"):
        write_outputs(tmp_path, {"a": "b"})


def test_ten_of_each_level_are_annotated_and_the_hidden_ones_counted() -> None:
    """GitHub shows ten errors and ten warnings of a step."""
    errors = [Annotation("error", "t", f"e{n}", Location("a.jsonl", n)) for n in range(1, 13)]
    warnings = [Annotation("warning", "t", f"w{n}") for n in range(1, 11)]
    lines = list(annotation_lines([*warnings, *errors]))
    assert len(lines) == 20
    assert lines[0] == "::error file=a.jsonl,line=1,title=t::e1"
    assert lines[8].endswith("::e9")
    assert "3 more errors" in lines[9]
    assert [line.rpartition("::")[2] for line in lines[10:]] == [f"w{n}" for n in range(1, 11)]


def test_nothing_in_an_annotation_ends_it() -> None:
    """Line breaks, colons and commas of foreign text are escaped."""
    annotation = Annotation("error", "a: b, c", "100 %\n::error::forged", Location("x,y:z", 1, 2))
    assert str(annotation) == (
        "::error file=x%2Cy%3Az,line=1,col=2,title=a%3A b%2C c::100 %25%0A::error::forged"
    )


@pytest.mark.parametrize(
    "text", ["::error::forged", "a\n::set-env name=PATH::x", "##[add-path]x", "a\r::warning::b"]
)
def test_a_line_of_the_log_is_no_command(text: str) -> None:
    """An error message of somebody's retriever may hold anything."""
    line = log_line(text)
    assert "\n" not in line
    assert "\r" not in line
    assert not line.lstrip().startswith("::")
    assert "##[" not in line
