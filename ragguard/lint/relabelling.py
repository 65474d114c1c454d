"""A label that gets another id, where that can make no label of two and contradict none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix
from ragguard.lint.labels import NamedId, named_ids
from ragguard.lint.literal import rewrite, span_of


def relabelled(row: DatasetRow, successors: Mapping[str, str]) -> Iterator[tuple[NamedId, Fix]]:
    """The ids of a row that can be replaced, each with the fix that does.

    An id that stands in several places of the row is replaced in all of them. Left out are ids
    whose successor the row names already, and ids that would become the same one.

    Args:
        row: the row.
        successors: by id the one that is meant, or that took its place.
    """
    named = [each for each in named_ids(row) if isinstance(each.value, str)]
    ids = {each.value for each in named}
    given = Counter(successors[each] for each in ids if each in successors)
    for each in named:
        new = successors.get(each.value)
        if new is None or new in ids or given[new] > 1:
            continue
        span = span_of(each)
        if span is not None:
            fix = rewrite(row, span, new, f"label {new!r} instead")
            yield each, replace(fix, is_safe=False)
