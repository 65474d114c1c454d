"""Evidence groups whose members were cut into pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

MOST_GROUPS = 64
"""More groups than that from one say that the mapping is not about pieces of a chunk."""


class TooManyGroupsError(ValueError):
    """A group that would become more than `MOST_GROUPS`."""


def moved_group(
    members: Sequence[str], successors: Callable[[str], tuple[str, ...] | None]
) -> list[tuple[str, ...]]:
    """The groups that ask for what a group asked for, in terms of the new chunks.

    A member that was cut into pieces is there when all of them are. So `[a, b]` with `a` cut into
    `a1` and `a2` is `(a1 and a2) or b`, which groups say as `[a1, b], [a2, b]`. A group that
    another one implies is left out.

    Args:
        members: ids, any one of which satisfies the group.
        successors: the ids that took the place of one; None when it stays, empty when it is gone.

    Raises:
        TooManyGroupsError: there would be too many.
    """
    ways = [(member,) if (new := successors(member)) is None else new for member in members]
    ways = [way for way in ways if way]
    if not ways:
        return []
    count = 1
    for way in ways:
        count *= len(way)
    if count > MOST_GROUPS:
        raise TooManyGroupsError
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for picked in product(*ways):
        found.setdefault(frozenset(picked), tuple(dict.fromkeys(picked)))
    return [group for ids, group in found.items() if not any(other < ids for other in found)]
