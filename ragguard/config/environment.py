"""Environment variables that a retriever's settings name: `${env:NAME}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragguard.config.problem import ConfigProblem, InvalidConfigError
from ragguard.config.template import Variable, parse_variables
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.config.positions import PositionedYaml

Path = tuple[str | int, ...]
_MARK = "${env:"


@dataclass(frozen=True, slots=True)
class EnvironmentReference:
    """Where a configuration names an environment variable."""

    name: str
    location: Location


def strings(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text inside a decoded value, with its path; keys are left out."""
    if isinstance(value, str):
        yield path, value
        return
    inner = (
        value.items()
        if isinstance(value, Mapping)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, each in inner:
        yield from strings(each, (*path, key))


def references_of(
    document: PositionedYaml, path: Sequence[str | int], retriever: Mapping[str, Any]
) -> tuple[EnvironmentReference, ...]:
    """The variables that a valid retriever's settings name, each with its place."""
    return tuple(
        EnvironmentReference(piece.name, document.locate([*path, *where]))
        for where, text in strings(retriever)
        if _MARK in text
        for piece in parse_variables(text)
        if isinstance(piece, Variable)
    )


def misplaced_variables(document: PositionedYaml) -> Iterator[ConfigProblem]:
    """Variables named outside a retriever's settings, where nothing expands them."""
    for path, text in strings(document.value):
        is_of_retriever = len(path) > 3 and path[0] == "suites" and path[2] == "retriever"
        if _MARK in text and not is_of_retriever:
            yield ConfigProblem(
                document.locate(path),
                "${env:…} is expanded in a retriever's settings only",
                "write the value itself; whoever reads a report must know what was configured",
            )


def variable_values(
    references: Sequence[EnvironmentReference], environment: Mapping[str, str]
) -> dict[str, str]:
    """The values of the variables by name.

    Raises:
        InvalidConfigError: some are not set, or are empty; names each with its place.
    """
    missing = [each for each in references if not environment.get(each.name)]
    if missing:
        raise InvalidConfigError(
            ConfigProblem(
                each.location,
                f"the environment variable {each.name} is {_state(each.name, environment)}",
                "set it where ragguard runs (in a workflow: `env:` of the step; pull requests from "
                "forks get no secrets)",
            )
            for each in missing
        )
    return {each.name: environment[each.name] for each in references}


def _state(name: str, environment: Mapping[str, str]) -> str:
    return "empty" if name in environment else "not set"
