"""Which rules run where, and how bad their findings are: codes and prefixes of codes.

Of two codes that both match a rule the longer one counts, as in ruff.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ragguard.config.model import Config, LintSettings
from ragguard.errors import UsageError
from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.file_globs import glob_matches, path_from
from ragguard.lint.registry import RULES
from ragguard.lint.rule import Rule, Scope

ALL = "ALL"
FAMILY_LENGTH = len("RG0")


@dataclass(frozen=True, slots=True)
class Choice:
    """Rules chosen at the command line, on top of a configuration.

    Attributes:
        select: in place of what the configuration selects and ignores, when there is any.
        extend_select: besides what is selected.
        ignore: left out of it.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True)
class Selection:
    """The rules that run, and what becomes of their findings.

    Attributes:
        codes: of the rules that run.
        per_file_ignores: codes and prefixes by glob of file.
        severity: by code or prefix.
        exclude: globs of files that are passed over.
    """

    codes: frozenset[str]
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    severity: Mapping[str, str] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        select: Iterable[str],
        ignore: Iterable[str] = (),
        per_file_ignores: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Selection:
        """The rules that are selected and not ignored; of the same code, `ignore` counts.

        Raises:
            UsageError: a code matches no rule and names no family.
        """
        return cls(chosen_codes(select, ignore), per_file_ignores or {})

    @classmethod
    def configured(cls, settings: LintSettings, choice: Choice = Choice()) -> Selection:
        """The rules that run under a configuration and the command line on top of it.

        A `select` of the command line takes the place of the configuration's choice; without one
        its other codes change that choice, so that `--ignore ALL` leaves nothing.

        Raises:
            UsageError: a code of the command line matches no rule.
        """
        if choice.select:
            codes = chosen_codes((*choice.select, *choice.extend_select), choice.ignore)
        else:
            selected = (*settings.select, *settings.extend_select)
            configured = chosen_codes(selected, settings.ignore)
            added = chosen_codes(choice.extend_select, choice.ignore)
            removed = chosen_codes(choice.ignore, choice.extend_select, ties=True)
            codes = (configured - removed) | added
        return cls(codes, settings.per_file_ignores, settings.severity, settings.exclude)

    @cached_property
    def by_scope(self) -> Mapping[Scope, tuple[Rule, ...]]:
        """The rules that run, by what they look at."""
        return {
            scope: tuple(rule for rule in RULES if rule.scope is scope and rule.code in self.codes)
            for scope in Scope
        }

    @property
    def looks_into_files(self) -> bool:
        """Whether any rule that runs looks at more than the configuration."""
        return any(rules for scope, rules in self.by_scope.items() if scope != Scope.CONFIGURATION)

    def excludes(self, path: Path, root: Path) -> bool:
        """Whether a file is passed over.

        Args:
            path: the file.
            root: the configuration's folder.
        """
        if not self.exclude:
            return False
        written = path_from(root, path)
        return any(glob_matches(glob, written) for glob in self.exclude)

    def ignored_for(self, path: Path, root: Path) -> frozenset[str]:
        """The codes of the rules that are ignored for a file.

        Args:
            path: the file.
            root: the configuration's folder.
        """
        if not self.per_file_ignores:
            return frozenset()
        written = path_from(root, path)
        prefixes = [
            code
            for glob, codes in self.per_file_ignores.items()
            if glob_matches(glob, written)
            for code in codes
        ]
        return frozenset(rule.code for rule in RULES if _reach(prefixes, rule.code) >= 0)

    def applied(self, found: Iterable[Diagnostic], config: Config) -> Iterator[Diagnostic]:
        """The findings that are reported, as bad as configured.

        Left out are those ignored for their file, and those in files that are passed over: a
        manifest or sidecar, which is read all the same. The configuration is never passed over.
        """
        silent: dict[str, frozenset[str]] = {}
        for each in found:
            file = each.location.file
            if file not in silent:
                silent[file] = self._silent_in(Path(file), config)
            if each.code not in silent[file]:
                severity = self._severities.get(each.code, each.severity)
                yield each if severity is each.severity else replace(each, severity=severity)

    def _silent_in(self, path: Path, config: Config) -> frozenset[str]:
        is_config = config.path is not None and path.absolute() == config.path.absolute()
        if self.excludes(path, config.root) and not is_config:
            return self.codes
        return self.ignored_for(path, config.root)

    @cached_property
    def _severities(self) -> Mapping[str, Severity]:
        """The severity of the rules for which one is configured."""
        longest = {rule.code: _longest(self.severity, rule.code) for rule in RULES}
        return {
            code: Severity(self.severity[prefix])
            for code, prefix in longest.items()
            if prefix is not None
        }


def chosen_codes(
    select: Iterable[str], ignore: Iterable[str], *, ties: bool = False
) -> frozenset[str]:
    """The codes of the rules that `select` reaches by a longer code than `ignore` does.

    Args:
        select: codes and prefixes.
        ignore: likewise.
        ties: whether a rule that both reach equally far belongs to them.

    Raises:
        UsageError: a code matches no rule and names no family.
    """
    select, ignore = tuple(select), tuple(ignore)
    for code in (*select, *ignore):
        if not is_known(code):
            raise UsageError(f"no lint rule matches {code!r}", hint=KNOWN_CODES)
    reaches = {rule.code: (_reach(select, rule.code), _reach(ignore, rule.code)) for rule in RULES}
    return frozenset(
        code
        for code, (selected, ignored) in reaches.items()
        if selected > ignored or (ties and selected == ignored >= 0)
    )


KNOWN_CODES = "`ragguard rule` lists them all"


def is_known(prefix: str) -> bool:
    """Whether a code, prefix or ALL matches a rule, or names a family."""
    is_family = prefix.startswith("RG") and prefix[2:].isdigit() and len(prefix) <= FAMILY_LENGTH
    return is_family or any(_matches(prefix, rule.code) for rule in RULES)


def _reach(prefixes: Iterable[str], code: str) -> int:
    """How specific the longest prefix that matches is; -1 where none does."""
    longest = _longest(prefixes, code)
    return -1 if longest is None else _specificity(longest)


def _longest(prefixes: Iterable[str], code: str) -> str | None:
    return max((each for each in prefixes if _matches(each, code)), key=_specificity, default=None)


def _specificity(prefix: str) -> int:
    return 0 if prefix == ALL else len(prefix)


def _matches(prefix: str, code: str) -> bool:
    return prefix == ALL or code.startswith(prefix)
