"""Which rules run: codes and prefixes of codes, the more specific one winning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from ragguard.errors import UsageError
from ragguard.lint.registry import RULES
from ragguard.lint.rule import Rule, Scope

ALL = "ALL"
FAMILY_LENGTH = len("RG0")


@dataclass(frozen=True)
class Selection:
    """The rules that run.

    Attributes:
        codes: of the rules that run.
        per_file_ignores: codes and prefixes by glob; a glob is matched against the path from the
            configuration's folder, and against the bare name.
    """

    codes: frozenset[str]
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        select: Iterable[str],
        ignore: Iterable[str] = (),
        per_file_ignores: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Selection:
        """The rules that are selected and not ignored.

        Of two codes that both match a rule the longer one counts; of the same one, `ignore`.

        Raises:
            UsageError: a code matches no rule and names no family.
        """
        select, ignore, per_file = list(select), list(ignore), per_file_ignores or {}
        _refuse_unknown(
            [*select, *ignore, *(code for codes in per_file.values() for code in codes)]
        )
        codes = frozenset(
            rule.code for rule in RULES if _reach(select, rule.code) > _reach(ignore, rule.code)
        )
        return cls(codes, per_file)

    @cached_property
    def by_scope(self) -> Mapping[Scope, tuple[Rule, ...]]:
        """The rules that run, by what they look at."""
        return {
            scope: tuple(rule for rule in RULES if rule.scope is scope and rule.code in self.codes)
            for scope in Scope
        }

    def ignored_for(self, path: Path, root: Path) -> frozenset[str]:
        """The codes of the rules that are ignored for a file.

        Args:
            path: the file.
            root: the configuration's folder.
        """
        if not self.per_file_ignores:
            return frozenset()
        path = path.absolute()
        written = (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()
        prefixes = [
            code
            for glob, codes in self.per_file_ignores.items()
            if fnmatchcase(written, glob) or fnmatchcase(path.name, glob)
            for code in codes
        ]
        return frozenset(rule.code for rule in RULES if _reach(prefixes, rule.code) >= 0)


def _reach(prefixes: Iterable[str], code: str) -> int:
    """Length of the longest prefix that matches; 0 for ALL, -1 for none."""
    matching = [
        0 if prefix == ALL else len(prefix) for prefix in prefixes if _matches(prefix, code)
    ]
    return max(matching, default=-1)


def _matches(prefix: str, code: str) -> bool:
    return prefix == ALL or code.startswith(prefix)


def _refuse_unknown(prefixes: Iterable[str]) -> None:
    for prefix in prefixes:
        is_family = (
            prefix.startswith("RG") and prefix[2:].isdigit() and len(prefix) <= FAMILY_LENGTH
        )
        if not is_family and not any(_matches(prefix, rule.code) for rule in RULES):
            raise UsageError(
                f"no lint rule matches {prefix!r}", hint="`ragguard rule` lists them all"
            )
