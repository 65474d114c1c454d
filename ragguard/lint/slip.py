"""Field names one slip of the finger from a known one."""

from __future__ import annotations

from functools import lru_cache

SHORTEST_KNOWN = 5

OTHER_TOOLS = {
    "forbidden_doc_ids": "forbidden_ids",
    "forbidden_chunk_ids": "forbidden_ids",
    "must_rank_at_most": "max_rank",
}
"""What other tools call a field whose loss would be a rule silently lost, by its name here."""


def is_slip(name: str, known: str) -> bool:
    """Whether `name` is `known` but for one letter, two swapped letters, or its spelling style.

    Styles are `query_id`, `queryId`, `Query-ID`. Known names of fewer than five letters have no
    slips: too many words are near them.
    """
    if name == known or len(known) < SHORTEST_KNOWN or abs(len(name) - len(known)) > 2:
        return False
    return _plain(name) == _plain(known) or _is_one_edit(name, known)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _is_one_edit(one: str, other: str) -> bool:
    """One letter inserted, removed or replaced, or two neighbours swapped (Damerau 1964)."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    left, right = one[start:], other[start:]
    if len(left) == len(right):
        return left[1:] == right[1:] or (left[1::-1] == right[:2] and left[2:] == right[2:])
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[1:] == shorter


@lru_cache(maxsize=4096)
def known_near(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """The known names that `name` may have been meant for; none when it is one itself."""
    if name in known:
        return ()
    slips = [each for each in known if is_slip(name, each)]
    meant = [
        ours
        for theirs, ours in OTHER_TOOLS.items()
        if ours in known and (name == theirs or is_slip(name, theirs))
    ]
    return tuple(dict.fromkeys([*slips, *meant]))
