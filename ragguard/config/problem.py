"""What is wrong in a configuration, with its place and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragguard.errors import ConfigError
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One thing that is wrong in a configuration, and the way out."""

    location: Location
    message: str
    hint: str | None = None


class InvalidConfigError(ConfigError):
    """A configuration with problems, all of which it names.

    Attributes:
        problems: at least one, in the order of the file.
    """

    def __init__(self, problems: Iterable[ConfigProblem]) -> None:
        """Keep the problems; the message is that of the first."""
        self.problems = tuple(sorted(problems, key=lambda problem: problem.location))
        first = self.problems[0]
        super().__init__(first.message, location=first.location, hint=first.hint)

    def __str__(self) -> str:
        """Every problem with its place and hint."""
        return "\n".join(
            str(ConfigError(problem.message, location=problem.location, hint=problem.hint))
            for problem in self.problems
        )
