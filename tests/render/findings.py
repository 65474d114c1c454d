"""Findings for the tests of formats: of a real run, and hostile ones."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from hypothesis import strategies as st

from ragguard.errors import InputError
from ragguard.lint.diagnostic import Diagnostic, Edit, Fix, Severity
from ragguard.lint.excerpts import Excerpt, excerpts
from ragguard.lint.result import LintResult, in_order
from ragguard.location import Location
from ragguard.render.lint_formats import formatted
from ragguard.render.lint_view import LintView
from tests.lint.linting import VERSIONS, lint, suite_of, write

FAULTY = (
    '{"query_id": 1, "query": "opening hours", "relevant_ids": ["c1"]}\n'
    '{"query_id": "q2", "query": "Öffnungszeiten\\u001b am 日曜日", "relevant_ids": ["c1", "C1"]}\n'
    '{"query_id": "q3", "query": "secret", "relevant_ids": ["gone"], "private": true}\n'
    "\n"
    "{'query_id': 'q4'}\n"
    '{"query_id": "q5", "query": "parking", "relevant_ids": ["c1"]'
)


def faulty_project(folder: Path) -> LintResult:
    """Two datasets, one of them clean, and a manifest; errors, warnings, fixes, a private row."""
    write(
        folder,
        {
            "eval/docs 1%.jsonl": FAULTY,
            "eval/docs 1%.meta.json": VERSIONS,
            "eval/clean.jsonl": [{"query_id": "a", "query": "b", "relevant_ids": ["c1"]}],
            "eval/clean.meta.json": VERSIONS,
            "corpus.jsonl": [{"id": "c1"}],
            "corpus.meta.json": VERSIONS,
        },
    )
    return lint(folder, suite_of("eval/*.jsonl", corpus="corpus.jsonl"))


def shown(name: str, result: LintResult, folder: Path) -> str:
    """A result in a format, as the command line shows it in a folder that is the repository."""
    view = LintView(excerpts(result), folder=str(folder), root=str(folder))
    return "".join(formatted(name, result, view))


TEXT = st.text(
    st.one_of(st.characters(), st.sampled_from("\x00\x1b\r\n\t\u202e\u2028\ufffe\ud800]>&<\"':%,"))
)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
LOCATIONS = st.builds(
    Location,
    NAMES,
    st.none() | st.integers(1, 9),
    st.none() | st.integers(1, 300),
)
FIXES = st.builds(
    lambda told, start, length, new: Fix(told, (Edit(start, start + length, new),)),
    TEXT,
    st.integers(0, 99),
    st.integers(0, 9),
    st.binary(max_size=9),
)
DIAGNOSTICS = st.builds(
    Diagnostic,
    st.sampled_from(["RG301", "RG003", "RG111"]),
    st.just("a-rule"),
    st.sampled_from(Severity),
    TEXT,
    LOCATIONS,
    st.none() | TEXT,
    st.none() | TEXT,
    st.none() | FIXES,
)
FAULTS = st.builds(
    lambda message, where, hint: InputError(message, location=where, hint=hint),
    TEXT,
    st.none() | LOCATIONS,
    st.none() | TEXT,
)
RESULTS = st.builds(
    lambda found, notes, faults: LintResult(
        in_order(found), notes=tuple(notes), faults=tuple(faults)
    ),
    st.lists(DIAGNOSTICS, max_size=5),
    st.lists(TEXT, max_size=2),
    st.lists(FAULTS, max_size=2),
)
EXCERPTS = st.builds(
    Excerpt, TEXT, st.integers(1, 300), st.integers(1, 50), st.booleans(), st.just("0" * 16)
)
VIEWS = st.builds(
    LintView,
    st.lists(st.none() | EXCERPTS, max_size=5).map(tuple),
    is_strict=st.booleans(),
    folder=st.just("/repo/app"),
    root=st.sampled_from(["/repo", ""]),
)


def steering(text: str) -> set[str]:
    """The characters of a text, line feeds aside, that steer a terminal or that UTF-8 lacks."""
    kinds = {"Cc", "Cs", "Zl", "Zp"}
    return {each for each in text if each != "\n" and unicodedata.category(each) in kinds}
