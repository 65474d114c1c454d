"""An entry of the list of ignored findings that covers more than there is."""

from __future__ import annotations

from dataclasses import dataclass

from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class UnneededEntry:
    """What an entry covers, and what of it there is.

    Attributes:
        location: where the entry begins.
        file: relative to the configuration's folder.
        count: how many findings it covers.
        found: how many there are; fewer.
        is_file: whether there is such a file.
    """

    location: Location
    code: str
    file: str
    query_id: str | None
    count: int
    found: int
    is_file: bool
