"""A label that gets another id, where that can make no label of two and contradict none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix
from ragguard.lint.fixes.literal import remove_member, rewrite, span_of
from ragguard.lint.labels import NamedId, named_ids


def relabelled(row: DatasetRow, successors: Mapping[str, str]) -> dict[str, Fix]:
    """The fixes that give labels of a row another id, by the id they have.

    An id that stands in several places of the row is replaced in all of them; a hash that the row
    remembers of it goes, for it is not that of the other chunk. Left out are ids whose successor
    the row names already, and ids that would become the same one.

    Args:
        row: the row.
        successors: by id the one that is meant, or that took its place.
    """
    places: dict[str, list[NamedId]] = {}
    for named in named_ids(row):
        if isinstance(named.value, str):
            places.setdefault(named.value, []).append(named)
    given = Counter(successors[each] for each in places if each in successors)
    return {
        chunk_id: _relabel(row, chunk_id, successors[chunk_id], named)
        for chunk_id, named in places.items()
        if (new := successors.get(chunk_id)) is not None and new not in places and given[new] == 1
    }


def _relabel(row: DatasetRow, old: str, new: str, places: Iterable[NamedId]) -> Fix:
    description = f"label {new!r} instead"
    spans = [span for named in places if (span := span_of(named)) is not None]
    fixes = [rewrite(row, span, new, description) for span in spans]
    hashes = row.fields.get("label_hashes")
    if isinstance(hashes, dict) and old in hashes:
        path = (*row.source_path(("label_hashes",)), old)
        forgotten = remove_member(row, path, description)
        fixes += [forgotten] if forgotten else []
    edits = sorted((edit for fix in fixes for edit in fix.edits), key=lambda edit: edit.start)
    return Fix(description, tuple(edits), is_safe=False)
