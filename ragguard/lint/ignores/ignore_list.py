"""The list of findings that a team has looked at and keeps: `ragguard-ignores.yml`."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config
from ragguard.config.positions import PositionedYaml
from ragguard.config.problem import ConfigProblem, InvalidConfigError
from ragguard.config.validation import schema_problems
from ragguard.errors import ConfigError
from ragguard.lint.ignores.text import quickly_read
from ragguard.lint.registry import RULES
from ragguard.lint.selection import KNOWN_CODES
from ragguard.location import Location

IGNORES_NAME = "ragguard-ignores.yml"
NOT_LISTABLE = {
    "RG901": "a configuration that cannot be read says nothing about what is ignored",
    "RG904": "remove the entry that is not needed instead",
} | {
    rule.code: "it is about a change and not about what is there: it goes with the change"
    for rule in RULES
    if rule.needs_base
}
"""Codes that no entry can have, and why."""
_CODES = frozenset(rule.code for rule in RULES)
Key = tuple[str, str, str | None]
"""File, code and query."""


@dataclass(frozen=True, slots=True)
class IgnoreEntry:
    """Findings of one rule for one query of a file, or for the file, that are not reported.

    Attributes:
        file: relative to the configuration's folder, with forward slashes.
        query_id: None where the findings name no query.
        count: how many there are.
        line: where the entry begins in the list, 1-based; 0 for one that is not written yet.
    """

    code: str
    file: str
    reason: str
    query_id: str | None = None
    count: int = 1
    line: int = 0

    @property
    def key(self) -> Key:
        """What it covers."""
        return self.file, self.code, self.query_id


@dataclass(frozen=True)
class IgnoreList:
    """The list of a configuration.

    Attributes:
        path: the file, whether it exists or not.
        entries: no two cover the same.
    """

    path: Path
    entries: tuple[IgnoreEntry, ...] = field(default=())

    @cached_property
    def by_key(self) -> Mapping[Key, IgnoreEntry]:
        """The entries by what they cover."""
        return {entry.key: entry for entry in self.entries}

    @property
    def shown(self) -> str:
        """Its name in diagnostics."""
        return shown_path(self.path)

    def locate(self, entry: IgnoreEntry) -> Location:
        """Where an entry stands: its first key, after the dash."""
        return Location(self.shown, entry.line, len("- ") + 1)


def ignore_list_path(config: Config) -> Path:
    """Where the list of a configuration is, or would be."""
    return config.root / (config.lint.ignore_list or IGNORES_NAME)


def read_ignore_list(config: Config, *, may_lack: bool = False) -> IgnoreList:
    """The findings that a configuration ignores; an empty list where it has none.

    Args:
        config: the configuration.
        may_lack: whether a list that is named in it need not exist (yet).

    Raises:
        ConfigError: the list cannot be read, or is not YAML.
        InvalidConfigError: it breaks its schema, covers something twice, or names a code that no
            rule has; or the configuration names a list that does not exist.
    """
    path = ignore_list_path(config)
    try:
        if path.is_fifo():
            raise OSError(errno.EINVAL, "it is a pipe, no file")
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        if config.lint.ignore_list is not None and not may_lack:
            raise _no_such_list(config) from None
        return IgnoreList(path)
    except (OSError, UnicodeDecodeError) as error:
        told = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError(
            f"cannot read the list of ignored findings: {told}",
            location=Location(shown_path(path), 1, 1),
            hint="mend it, or write it anew with `ragguard lint --add-ignores`",
        ) from error
    except ValueError:  # no system has a file of this name
        raise _no_such_list(config) from None
    return IgnoreList(path, _entries(text, shown_path(path)))


def _no_such_list(config: Config) -> InvalidConfigError:
    location = Location(shown_path(config.path) if config.path else "ragguard.yml", 1, 1)
    if config.path is not None:
        text = config.path.read_bytes().decode("utf-8-sig")
        document = PositionedYaml.parse(text, shown_path(config.path))
        location = document.locate(["lint", "ignore_list"])
    message = f"lint.ignore_list: there is no file {config.lint.ignore_list!r}"
    hint = "`ragguard lint --add-ignores` writes it; or leave the key out"
    return InvalidConfigError([ConfigProblem(location, message, hint)])


def _entries(text: str, shown: str) -> tuple[IgnoreEntry, ...]:
    # A checkout on Windows may end lines its own way.
    quick = quickly_read(text.replace("\r\n", "\n"))
    if quick is not None and not any(_problems([raw for raw, _ in quick])):
        return tuple(IgnoreEntry(**raw, line=line) for raw, line in quick)
    document = PositionedYaml.parse(text, shown)
    if document.value is not None and not isinstance(document.value, list):
        raise InvalidConfigError(
            [
                ConfigProblem(
                    document.locate([]),
                    "a list of ignored findings has one entry a finding, each after a dash",
                    "- {code: RG301, file: eval/docs.jsonl, query_id: q1, reason: …}",
                )
            ]
        )
    problems = schema_problems(document, "ignores")
    listed: list[dict[str, Any]] = document.value or []
    if not problems:
        problems = [
            ConfigProblem(document.locate(steps), message, hint)
            for steps, message, hint in _problems(listed)
        ]
    if problems:
        raise InvalidConfigError(problems)
    return tuple(
        IgnoreEntry(**raw, line=document.locate([index]).line or 1)
        for index, raw in enumerate(listed)
    )


def _problems(
    listed: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[list[str | int], str, str]]:
    """What is wrong in entries that satisfy the schema: the way to it, a message, a hint."""
    first: dict[Key, int] = {}
    for index, raw in enumerate(listed):
        code = raw["code"]
        where = f"entry {index + 1}"
        if code not in _CODES:
            yield [index, "code"], f"{where}.code: no lint rule matches {code!r}", KNOWN_CODES
        elif code in NOT_LISTABLE:
            yield [index, "code"], f"{where}.code: {code} cannot be ignored", NOT_LISTABLE[code]
        key = raw["file"], code, raw.get("query_id")
        if first.setdefault(key, index) != index:
            told = f"{where} covers the same as entry {first[key] + 1}"
            yield [index], told, "keep one of them, with the count of both"
