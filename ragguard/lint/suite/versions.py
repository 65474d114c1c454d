"""The versions that the rows and sidecars of a suite name, and which rows name none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragguard.dataset.row import DatasetRow
from ragguard.dataset.sidecar import sidecar_location
from ragguard.dataset.versions import VERSIONS
from ragguard.lint.plain.rows import PlainRows
from ragguard.lint.suite.file import SuiteFile
from ragguard.location import Location

_VERSION_SET = frozenset(VERSIONS)


@dataclass(slots=True)
class Versioned:
    """One version that a suite names.

    Attributes:
        location: where it stands first.
        count: how many rows and sidecars name it.
    """

    location: Location
    count: int = 1


class SuiteVersions:
    """What is noted of versions, file by file.

    Attributes:
        found: by version field, then by version, in the order met.
    """

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Versioned]] = {name: {} for name in VERSIONS}
        self._is_complete = False

    def begin(self, file: SuiteFile) -> None:
        """Take note of a file's sidecar; rows added from here on are its rows."""
        self._is_complete = file.sidecar.keys() >= _VERSION_SET
        for name in VERSIONS:
            version = file.sidecar.get(name)
            if isinstance(version, str):
                self._note(name, version, sidecar_location(file.path, name))

    def add(self, row: DatasetRow, file: SuiteFile) -> None:
        """Take note of a row."""
        fields = row.fields
        if self._is_complete and _VERSION_SET.isdisjoint(fields):
            return
        for name in VERSIONS:
            version = fields.get(name)
            if type(version) is str:
                file.naming[name] += 1
                known = self.found[name].get(version)
                if known is None:
                    self.found[name][version] = Versioned(row.locate(name))
                else:
                    known.count += 1
            elif name not in fields and name not in file.sidecar:
                file.lacking[name].append(row.line.number)

    def know(self, rows: PlainRows) -> bool:
        """Whether every version of these rows was met before, so that its place is known."""
        return all(
            self.found[name].keys() >= frozenset(values) - {None}
            for name, values in rows.versions.items()
        )

    def add_plain(self, rows: PlainRows, file: SuiteFile) -> None:
        """Take note of rows whose versions are known, all at once."""
        for name in VERSIONS:
            values = rows.versions.get(name)
            if values is not None:
                self._count(name, values, file)
            if name not in file.sidecar:
                file.lacking[name].extend(_lacking(rows.numbers, values))

    def _count(self, name: str, values: Sequence[str | None], file: SuiteFile) -> None:
        for version, count in Counter(values).items():
            if version is not None:
                file.naming[name] += count
                self.found[name][version].count += count

    def _note(self, name: str, version: str, location: Location) -> None:
        known = self.found[name].setdefault(version, Versioned(location, 0))
        known.count += 1


def _lacking(numbers: Sequence[int], values: Sequence[str | None] | None) -> Sequence[int]:
    if values is None:
        return numbers
    return [number for number, each in zip(numbers, values, strict=True) if each is None]


Versions = Mapping[str, Mapping[str, Versioned]]
"""By version field, then by version."""
