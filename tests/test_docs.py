"""The documentation tells the same story as the code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ragguard.config.reading import config_from_text
from ragguard.resources import schema

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md")])
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Code blocks of one language on all pages, each with where it stands."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in _BLOCK.finditer(text):
            if match[1] == language:
                line = text[: match.start()].count("\n") + 1
                yield f"{page.relative_to(ROOT)}:{line}", match[2]


def test_every_configuration_shown_is_valid() -> None:
    """What readers copy works."""
    shown = [(where, text) for where, text in blocks("yaml") if text.startswith("version: 1")]
    assert len(shown) >= 2
    for where, text in shown:
        config_from_text(text, ROOT / where)


def test_every_row_and_chunk_shown_is_valid() -> None:
    """JSON Lines on the pages satisfy the schemas they illustrate."""
    rows, chunks = (Draft202012Validator(schema(name)) for name in ("dataset-row", "manifest"))
    shown = [
        json.loads(line)
        for _, text in blocks("json")
        for line in text.splitlines()
        if line.startswith(('{"query_id"', '{"id"'))
    ]
    assert len(shown) >= 4
    for value in shown:
        (rows if "query_id" in value else chunks).validate(value)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """No link of the repository is dead."""
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("path", sorted((ROOT / "schemas").glob("*.json")), ids=lambda p: p.name)
def test_schemas_are_valid_and_describe_every_field(path: Path) -> None:
    """A schema is documentation: each property says what it means."""
    decoded = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(decoded)
    silent = [where for where, node in properties(decoded) if not described(node)]
    assert not silent


def properties(node: object, where: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    """Every property a schema defines, with its path."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from properties(item, f"{where}[{index}]")
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key in {"properties", "patternProperties"} and isinstance(value, dict):
            for name, child in value.items():
                yield f"{where}.{name}", child
                yield from properties(child, f"{where}.{name}")
        else:
            yield from properties(value, f"{where}.{key}")


def described(node: object) -> bool:
    """Whether a property says what it means, itself or where it refers to."""
    return isinstance(node, dict) and ("description" in node or "$ref" in node)
