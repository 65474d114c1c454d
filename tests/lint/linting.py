"""Datasets linted from bytes, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ragguard.config.model import Config, LintSettings, Scoring, Suite
from ragguard.lint.engine import lint_config
from ragguard.lint.fixes.fixing import Fixing
from ragguard.lint.result import LintPart, LintResult
from ragguard.lint.selection import Selection
from ragguard.metrics.name import Metric

VERSIONS = {"dataset_version": "1", "corpus_version": "1"}
EVERYTHING = Selection.of(["ALL"], ["RG5"])
"""All rules but those of quality, which are opt-in and find something in every small suite."""


def suite_of(*dataset: str, **settings: Any) -> Suite:
    """A suite of these files with default settings."""
    return Suite("docs", dataset, Scoring(primary=Metric("evidence", 5)), **settings)


def write(folder: Path, files: dict[str, bytes | str | list[Any] | dict[str, Any]]) -> None:
    """Write files: bytes and texts as they are, lists as JSON Lines, dicts as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encoded(content))


def _encoded(content: bytes | str | list[Any] | dict[str, Any]) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, list):
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def lint(folder: Path, suite: Suite, selection: Selection = EVERYTHING) -> LintResult:
    """Lint one suite whose files lie in a folder."""
    return lint_part(folder, suite, selection).result


def lint_part(folder: Path, suite: Suite, selection: Selection = EVERYTHING) -> LintPart:
    """Lint one suite in a way that can be repeated with other contents."""
    config = Config(folder, {suite.name: suite})

    def look(stand_ins: Mapping[Path, Path]) -> LintResult:
        return lint_config(config, selection, stand_ins=stand_ins)

    return LintPart(look({}), look)


def lint_bytes(
    folder: Path, content: bytes, selection: Selection = EVERYTHING, **settings: Any
) -> LintResult:
    """Lint one dataset, `docs.jsonl`, that has its versions in a sidecar."""
    write(folder, {"docs.jsonl": content, "docs.meta.json": VERSIONS})
    return lint(folder, suite_of("docs.jsonl", **settings), selection)


def fixed(folder: Path, content: bytes, *, unsafe_fixes: bool = False, **settings: Any) -> bytes:
    """What `--fix` leaves of a dataset."""
    write(folder, {"docs.jsonl": content, "docs.meta.json": VERSIONS})
    return fixed_suite(folder, suite_of("docs.jsonl", **settings), unsafe_fixes=unsafe_fixes)


def fixed_suite(
    folder: Path,
    suite: Suite,
    selection: Selection = EVERYTHING,
    *,
    unsafe_fixes: bool = False,
    reviewed: Sequence[str] = (),
) -> bytes:
    """What `--fix` leaves of the only dataset of a suite."""
    part = lint_part(folder, suite, selection)
    with TemporaryDirectory() as copies:
        fixing = Fixing([part], Path(copies))
        fixing.fix(unsafe_fixes=unsafe_fixes)
        if reviewed:
            fixing.record(reviewed)
        if not fixing.files:
            return (folder / suite.dataset[0]).read_bytes()
        return b"".join(fixing.files[0].parts())


def told(result: LintResult) -> list[str]:
    """The findings as `line:column CODE message`, without the file."""
    return [
        f"{each.location.line}:{each.location.column} {each.code} {each.message}"
        for each in result.diagnostics
    ]


def codes(result: LintResult) -> list[str]:
    """The codes of the findings, in their order."""
    return [each.code for each in result.diagnostics]


def default_selection(select: Iterable[str] = LintSettings().select) -> Selection:
    """The rules that run when nothing is configured."""
    return Selection.of(select)
