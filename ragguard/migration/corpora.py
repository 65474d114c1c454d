"""What the manifests before and after a new cut say of a mapping between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ragguard.corpus.chunk import Chunk
from ragguard.corpus.manifest import Manifest
from ragguard.errors import FaultyInputError, InputError
from ragguard.migration.label_map import LabelMap

_MOST_TOLD = 20


def check_new_ids(label_map: LabelMap, manifests: Iterable[Manifest]) -> None:
    """Find every new id in one of the manifests.

    Raises:
        InputError: one is in none of them, or a manifest cannot be read.
    """
    listed = list(manifests)
    missing = set(label_map.new_ids)
    for manifest in listed:
        missing &= manifest.view(missing).missing
    if not listed or not missing:
        return
    nearest = listed[0].nearest(sorted(missing)[:_MOST_TOLD])
    names = " or ".join(manifest.shown for manifest in listed)
    faults = []
    for move in label_map.moves.values():
        for each in move.new:
            if each in missing:
                near = nearest.get(each, ())
                hint = f"is {near[0].chunk_id!r} meant?" if near else None
                faults.append(
                    InputError(
                        f"the new id {each!r} of {move.old!r} is not in {names}",
                        location=move.location,
                        hint=hint or "is this the manifest of the new cut (corpus:, or --corpus)?",
                    )
                )
    raise _several(faults)


def check_access(label_map: LabelMap, before: Manifest, after: Iterable[Manifest]) -> None:
    """Find the access of every old chunk in the chunks that take its place.

    Raises:
        InputError: another group of people may see a new chunk, or a manifest cannot be read.
    """
    changed = list(_compared(label_map, before, after, _access))
    if changed:
        raise _several(
            [
                InputError(
                    f"{old.chunk_id!r} may be seen by {_who(old)}, {new.chunk_id!r} by {_who(new)}",
                    location=label_map.moves[old.chunk_id].location,
                    hint="take another chunk, or say that this is meant: --allow-access-change",
                )
                for old, new in changed
            ]
        )


def other_parents(
    label_map: LabelMap, before: Manifest, after: Iterable[Manifest]
) -> list[tuple[Chunk, Chunk]]:
    """The old chunks with those that take their place in another document."""
    return list(_compared(label_map, before, after, lambda chunk: chunk.parent_id))


def _compared(
    label_map: LabelMap,
    before: Manifest,
    after: Iterable[Manifest],
    aspect: Callable[[Chunk], object],
) -> Iterator[tuple[Chunk, Chunk]]:
    """Old and new chunks that differ in an aspect, in the order of the mapping."""
    old_chunks = before.chunks(label_map.moves.keys())
    new_chunks = [manifest.chunks(label_map.new_ids) for manifest in after]
    for old, move in label_map.moves.items():
        if old not in old_chunks:
            continue
        for each in move.new:
            differing = (
                chunks[each]
                for chunks in new_chunks
                if each in chunks and aspect(chunks[each]) != aspect(old_chunks[old])
            )
            new = next(differing, None)
            if new is not None:
                yield old_chunks[old], new


def _access(chunk: Chunk) -> frozenset[str]:
    return frozenset(chunk.access)


def _who(chunk: Chunk) -> str:
    return ", ".join(sorted(set(chunk.access))) or "everybody"


def _several(faults: list[InputError]) -> InputError:
    left = len(faults) - _MOST_TOLD
    rest = InputError(f"and {left:,} more of this kind") if left > 0 else None
    return FaultyInputError(faults[:_MOST_TOLD], rest)
