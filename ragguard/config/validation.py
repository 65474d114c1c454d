"""Checking a configuration against its schema and against itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragguard.config.environment import misplaced_variables
from ragguard.config.positions import PositionedYaml
from ragguard.config.problem import ConfigProblem
from ragguard.config.retriever_checks import check_retriever
from ragguard.config.surely_valid import is_surely_valid
from ragguard.resources import schema

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def check(document: PositionedYaml) -> list[ConfigProblem]:
    """Everything that is wrong in a decoded configuration; an empty list when it is valid."""
    return schema_problems(document, "config") or list(_cross_checks(document))


def schema_problems(document: PositionedYaml, name: str) -> list[ConfigProblem]:
    """Everything in which a document breaks a schema; an empty list when it satisfies it.

    Args:
        document: a configuration, or another file of settings.
        name: of its schema under `schemas/`.
    """
    known = schema(name)
    if is_surely_valid(document.value, known, known):
        return []
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(known).iter_errors(document.value)
    return [problem for error in errors for problem in _explain(document, error)]


def _named(path: Sequence[str | int]) -> str:
    """A place in a document, in words."""
    if path and isinstance(path[0], int):
        return ".".join([f"entry {path[0] + 1}", *map(str, path[1:])])
    return ".".join(map(str, path)) or "the configuration"


def _explain(document: PositionedYaml, error: ValidationError) -> Iterator[ConfigProblem]:
    path = list(error.absolute_path)
    rule = _rule(error)
    name = _named(path)
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        yield from _unknown_keys(document, error, path)
    elif "propertyNames" in error.relative_schema_path:
        key = str(error.instance)
        yield _unknown_name(document, [*path, key], key, rule)
    elif error.validator == "required":
        missing = error.message.split("'")[1]
        yield ConfigProblem(document.locate(path), f"{name} lacks the key {missing!r}")
    else:
        yield ConfigProblem(
            document.locate(path), f"{name}: {_said(error)}", rule.get("description")
        )


def _rule(error: ValidationError) -> dict[str, Any]:
    """The part of the schema that was broken; a boolean schema says nothing."""
    return dict(error.schema) if isinstance(error.schema, Mapping) else {}


def _said(error: ValidationError) -> str:
    value: Any = error.instance
    limit: Any = error.validator_value
    match error.validator:
        case "type":
            return f"{value!r} is not {_kind(limit)}"
        case "enum":
            return f"{value!r} is not one of {', '.join(map(str, limit))}"
        case "const":
            return f"{value!r} must be {limit!r}"
        case "pattern" | "anyOf":
            return f"{value!r} is not written as it should be"
        case _:
            return str(error.message)


def _kind(types: str | list[str]) -> str:
    words = {"object": "a mapping", "array": "a list", "string": "a text", "integer": "an integer"}
    listed = [types] if isinstance(types, str) else types
    return " or ".join(words.get(kind, f"a {kind}") for kind in listed)


def _unknown_keys(
    document: PositionedYaml, error: ValidationError, path: list[str | int]
) -> Iterator[ConfigProblem]:
    known = list(_rule(error).get("properties", {}))
    patterns = _rule(error).get("patternProperties", {})
    instance: Any = error.instance
    for key in instance:
        if key in known:
            continue
        if any(isinstance(key, str) and re.search(pattern, key) for pattern in patterns):
            continue
        choices = [*known, "recall@5", "evidence@5"] if patterns else known
        yield _unknown_key(document, [*path, key], str(key), choices)


def _unknown_key(
    document: PositionedYaml, path: list[str | int], key: str, known: list[str]
) -> ConfigProblem:
    from difflib import get_close_matches

    near = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    where = _named(path[:-1])
    return ConfigProblem(document.locate_key(path), f"unknown key {key!r} in {where}", hint)


def _unknown_name(
    document: PositionedYaml, path: list[str | int], key: str, rule: dict[str, Any]
) -> ConfigProblem:
    known = rule.get("enum")
    if known:
        return _unknown_key(document, path, key, known)
    where = _named(path[:-1])
    return ConfigProblem(document.locate_key(path), f"{key!r} cannot be a name in {where}")


def _cross_checks(document: PositionedYaml) -> Iterator[ConfigProblem]:
    yield from misplaced_variables(document)
    for name, suite in document.value["suites"].items():
        path: list[str | int] = ["suites", name]
        if "retriever" in suite:
            yield from check_retriever(document, [*path, "retriever"], suite["retriever"])
            if "search" in suite["retriever"] and "corpus" not in suite:
                yield ConfigProblem(
                    document.locate_key([*path, "retriever", "search"]),
                    f"suite {name!r} uses the built-in search but names no corpus",
                    "add `corpus:` with a manifest whose chunks carry their text",
                )
        yield from _check_depth(document, path, suite)


def _check_depth(
    document: PositionedYaml, path: list[str | int], suite: dict[str, Any]
) -> Iterator[ConfigProblem]:
    depth, cutoffs = suite.get("depth"), suite.get("cutoffs", [1, 3, 5, 10])
    if depth is not None and depth < max(cutoffs):
        yield ConfigProblem(
            document.locate([*path, "depth"]),
            f"depth {depth} keeps less than the largest cutoff {max(cutoffs)} needs",
            f"set depth to {max(cutoffs)} or more, or leave it out",
        )
