"""The faults of a manifest, gathered so that one reading tells them all."""

from __future__ import annotations

from ragguard.errors import FaultyInputError, InputError
from ragguard.location import Location

MOST_TOLD = 20
"""Faults that are told one by one."""

MOST_READ = 1000
"""Faults after which reading stops: the file is something else than a manifest."""


class Faults:
    """The faults of one manifest.

    Args:
        shown: its name in errors.
    """

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self._told: list[InputError] = []
        self._count = 0

    def add(self, error: InputError) -> None:
        """Take note of a fault.

        Raises:
            InputError: there are so many that it is not worth reading on.
        """
        self._count += 1
        if self._count <= MOST_TOLD:
            self._told.append(error)
        if self._count == MOST_READ:
            self.raise_any(at_least="at least ")

    def raise_any(self, at_least: str = "") -> None:
        """Raise what was noted; nothing when there was nothing.

        Raises:
            InputError: the only fault, or a `FaultyInputError` of several.
        """
        if self._count == 1:
            raise self._told[0]
        if self._count > 1:
            raise FaultyInputError(self._told, self._left(at_least))

    def _left(self, at_least: str) -> InputError | None:
        left = self._count - len(self._told)
        if not left:
            return None
        return InputError(
            f"{at_least}{left} more entries of it hold no chunk",
            location=Location(self.shown),
            hint="is it the manifest, or another file?",
        )
