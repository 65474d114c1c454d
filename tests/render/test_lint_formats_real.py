"""Findings in real datasets, in every format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from junitparser import JUnitXml

from ragguard.config.reading import read_config
from ragguard.lint.engine import lint_config
from ragguard.lint.excerpts import excerpts
from ragguard.lint.selection import Selection
from tests.lint.real.building import DATASETS, build
from tests.render.findings import shown, steering
from tests.render.test_lint_sarif import VALIDATOR

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", DATASETS)
def test_every_format_tells_every_finding(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As documents that others read; with the carets below the first character of each value."""
    monkeypatch.chdir(tmp_path)
    result = lint_config(read_config(build(name, tmp_path)), Selection.of(["ALL"]))
    count = len(result.diagnostics)
    texts = {each: shown(each, result, tmp_path) for each in ("text", "concise", "github", "junit")}
    assert not any(map(steering, texts.values()))
    assert texts["concise"].count("\n") == count
    assert sum(len(list(suite)) for suite in JUnitXml.fromstring(texts["junit"].encode())) >= count
    sarif = json.loads(shown("sarif", result, tmp_path))
    VALIDATOR.validate(sarif)
    issues = json.loads(shown("gitlab", result, tmp_path))
    told = [each["partialFingerprints"] for each in sarif["runs"][0]["results"]]
    assert len({next(iter(each.values())) for each in told}) == len(told) == len(issues) == count
    pieces = [each for each in excerpts(result) if each is not None]
    assert texts["text"].count("^") >= len(pieces)
    by_place = zip(result.diagnostics, excerpts(result), strict=True)
    lines: dict[str, list[str]] = {}
    for found, excerpt in by_place:
        where = found.location
        if excerpt is None or where.line is None or where.column is None:
            continue
        if where.file not in lines:
            content = (tmp_path / where.file).read_bytes().decode("utf-8", "replace")
            lines[where.file] = content.removeprefix("\ufeff").split("\n")
        line = lines[where.file][where.line - 1]
        assert line[excerpt.start - 1 :].startswith(excerpt.text.rstrip("\r"))
        assert excerpt.start <= where.column <= excerpt.start + len(excerpt.text)
