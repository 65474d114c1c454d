"""Findings held against the list of those that are ignored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ragguard.config.model import Config, Suite
from ragguard.dataset.files import exists
from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.file_globs import path_from
from ragguard.lint.finding import quoted
from ragguard.lint.ignores.ignore_list import NOT_LISTABLE, IgnoreEntry, IgnoreList, Key
from ragguard.lint.ignores.unneeded import UnneededEntry
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintResult, in_order
from ragguard.lint.selection import Selection
from ragguard.lint.targets import owned_files

_UNUSED = next(rule for rule in RULES if rule.code == "RG904")


@dataclass(frozen=True)
class Ignoring:
    """The list of a configuration, and what was linted of it.

    Attributes:
        selection: the rules that ran.
        suites: names of the suites that were linted.
    """

    ignores: IgnoreList
    config: Config
    selection: Selection
    suites: frozenset[str]

    @classmethod
    def of(
        cls, ignores: IgnoreList, config: Config, selection: Selection, suites: Iterable[Suite]
    ) -> Ignoring:
        """The list with the suites that are linted."""
        return cls(ignores, config, selection, frozenset(suite.name for suite in suites))

    def applied(self, result: LintResult) -> LintResult:
        """The result without what the list covers, and with its entries that cover nothing.

        An entry that covers fewer findings than there are covers none of them: which are the new
        ones, nobody can tell.
        """
        if not self.ignores.entries:
            return result
        found = self._counted(result.diagnostics)
        covered = {
            entry.key for entry in self.ignores.entries if 0 < found[entry.key] <= entry.count
        }
        kept = [each for each in result.diagnostics if self.key(each) not in covered]
        ignored = len(result.diagnostics) - len(kept)
        return replace(
            result,
            diagnostics=in_order([*kept, *self._unused(result, found)]),
            notes=(*result.notes, *self._surplus(found)),
            ignored={self.ignores.shown: ignored} if ignored else {},
        )

    def renewed(self, result: LintResult, reason: str) -> IgnoreList:
        """The list that covers what was found: entries kept, changed, added and taken out.

        Args:
            result: what was found, nothing of it ignored.
            reason: of the entries that are new.
        """
        listable = [each for each in result.diagnostics if each.code not in NOT_LISTABLE]
        found = self._counted(listable)
        entries = {
            entry.key: entry if not self.is_judged(entry) else replace(entry, count=count)
            for entry in self.ignores.entries
            if (count := found[entry.key]) or not self.is_judged(entry)
        }
        for key, count in found.items():
            file, code, query_id = key
            known = entries.get(key) or IgnoreEntry(code, file, reason, query_id)
            entries[key] = replace(known, count=max(count, known.count))
        return replace(self.ignores, entries=tuple(entries.values()))

    def key(self, found: Diagnostic) -> Key:
        """What an entry that covers a finding names."""
        return self._written(found.location.file), found.code, found.query_id

    def is_judged(self, entry: IgnoreEntry) -> bool:
        """Whether everything that an entry could cover was looked for."""
        owners = self._owners.get(entry.file)
        wanted = set(self.config.suites) if owners is None else owners
        return entry.code in self.selection.codes and wanted <= self.suites

    @cached_property
    def _owners(self) -> Mapping[str, set[str]]:
        """By file the suites that have it; the configuration belongs to all of them."""
        owners: dict[str, set[str]] = {}
        for suite in self.config.suites.values():
            for path in owned_files(suite, self.config.root):
                owners.setdefault(path_from(self.config.root, path), set()).add(suite.name)
        return owners

    @cached_property
    def _names(self) -> dict[str, str]:
        return {}

    def _written(self, shown: str) -> str:
        """The name of a file as entries have it; one file has many findings."""
        if shown not in self._names:
            self._names[shown] = path_from(self.config.root, Path(shown))
        return self._names[shown]

    def _counted(self, found: Iterable[Diagnostic]) -> Counter[Key]:
        return Counter(map(self.key, found))

    def _unused(self, result: LintResult, found: Mapping[Key, int]) -> Iterator[Diagnostic]:
        # What cannot be read may hold what is not found.
        if result.faults or _UNUSED.code not in self.selection.codes:
            return
        unneeded = [
            UnneededEntry(
                location=self.ignores.locate(entry),
                code=entry.code,
                file=entry.file,
                query_id=entry.query_id,
                count=entry.count,
                found=found[entry.key],
                is_file=exists(self.config.root / entry.file),
            )
            for entry in self.ignores.entries
            if found[entry.key] < entry.count and self.is_judged(entry)
        ]
        yield from self.selection.applied(_UNUSED.diagnostics(unneeded), self.config)

    def _surplus(self, found: Mapping[Key, int]) -> Iterator[str]:
        for entry in self.ignores.entries:
            if found[entry.key] > entry.count:
                of_query = "" if entry.query_id is None else f" for query {quoted(entry.query_id)}"
                yield (
                    f"{self.ignores.locate(entry)}: covers {entry.count} of {entry.code}{of_query} "
                    f"in {entry.file}, but there are {found[entry.key]}: all are reported"
                )
