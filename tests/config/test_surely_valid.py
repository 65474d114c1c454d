"""The short cut past jsonschema never says more than jsonschema would."""

from __future__ import annotations

import copy
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ragguard.config.reading import config_from_text
from ragguard.config.surely_valid import is_surely_valid
from ragguard.resources import examples, schema

SCHEMA = schema("config")
VALIDATOR = Draft202012Validator(SCHEMA)
VALUES = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        -1,
        1.0,
        0.5,
        1e9,
        "",
        "x",
        "RG3",
        "recall@5",
        "10s",
        "a:b",
        [],
        ["x", "x"],
        {},
    ]
)


def configurations() -> list[dict[str, Any]]:
    """Configurations that hold much of what the schema knows."""
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    texts = [part.split("```")[0] for part in page.split("```yaml\n")[1:]]
    files = [examples() / "ragguard.yml", examples() / "retrievers" / "ragguard.yml"]
    texts += [path.read_text(encoding="utf-8") for path in files]
    texts += retrievers_shown()
    decoded = [yaml.safe_load(text) for text in texts]
    return [each for each in decoded if isinstance(each, dict) and "version" in each]


def retrievers_shown() -> list[str]:
    """A configuration for each retriever that the documentation shows."""
    page = (Path(__file__).parents[2] / "docs" / "retrievers.md").read_text(encoding="utf-8")
    shown = [part.split("```")[0] for part in page.split("```yaml\n")[1:]]
    beginning = "version: 1\nsuites:\n  docs:\n    dataset: docs.jsonl\n"
    return [beginning + indent(each, "    ") for each in shown]


def test_every_retriever_shown_is_valid() -> None:
    """What readers copy works."""
    assert len(retrievers_shown()) >= 5
    for text in retrievers_shown():
        config_from_text(text, Path("ragguard.yml"))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside a value."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(each for key, child in inner for each in places(child, (*path, key)))]


@pytest.mark.parametrize("number", range(len(configurations())))
def test_sound_configurations_take_the_short_cut(number: int) -> None:
    """Else every run would pay for jsonschema."""
    assert is_surely_valid(configurations()[number], SCHEMA, SCHEMA)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_what_is_called_sure_satisfies_the_schema(data: st.DataObject) -> None:
    """A value or a key is changed anywhere; jsonschema has the last word."""
    value = copy.deepcopy(data.draw(st.sampled_from(configurations())))
    *path, last = data.draw(st.sampled_from(places(value)[1:]))
    parent = value
    for step in path:
        parent = parent[step]
    if isinstance(parent, dict) and data.draw(st.booleans()):
        parent[data.draw(st.sampled_from(["x", "evidence@5", "min", "ALL", ""]))] = parent.pop(last)
    else:
        parent[last] = data.draw(VALUES)
    if is_surely_valid(value, SCHEMA, SCHEMA):
        assert VALIDATOR.is_valid(value)


def test_a_keyword_that_is_not_known_makes_nothing_sure() -> None:
    """A schema that grows is left to jsonschema."""
    assert not is_surely_valid(1, {"multipleOf": 1}, {})
