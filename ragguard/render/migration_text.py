"""What a migration of labels did, or would do, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ragguard.render.wording import plural

if TYPE_CHECKING:
    from ragguard.migration.migrating import Migration

_MOST_NAMED = 5


def migration_text(done: Migration, *, is_written: bool) -> str:
    """The summary: how many labels, in how many rows."""
    rows = plural(sum(done.rows.values()), "row")
    files = plural(len(done.rows), "file")
    verb = "moved" if is_written else "would move"
    return f"{verb} {plural(done.moved, 'label')} in {rows} of {files}\n"


def migration_notes(done: Migration) -> Iterator[str]:
    """What a person should know of it, a sentence each."""
    yield from _of_labels(done)
    yield from _of_mapping(done)
    if done.unknown is None:
        yield "no corpus: the new ids were not looked up (--corpus, or `corpus:` in ragguard.yml)"
    elif done.unknown:
        ids = plural(len(done.unknown), "labelled id")
        yield f"{ids} still in no manifest: {_some(done.unknown)}"
    if done.files:
        yield (
            "versions stay as they are: raise dataset_version, and corpus_version where the corpus "
            "is another one"
        )


def _of_labels(done: Migration) -> Iterator[str]:
    if done.dropped:
        yield f"{plural(done.dropped, 'label')} removed, chunk gone"
    if done.gone:
        yield f"chunks gone, labels kept: {_some(sorted(done.gone))} (--drop-gone removes them)"
    if done.unlabelled:
        yield f"queries left without any label: {_some(done.unlabelled)}"
    if done.hashes:
        yield (
            f"{plural(done.hashes, 'remembered hash', 'remembered hashes')} dropped: nobody "
            "reviewed the new chunks; `ragguard lint --fix --reviewed QUERY_ID` records a review"
        )
    if done.joined:
        yield f"different grades met in one chunk {plural(done.joined, 'time')}: the higher stays"
    if done.numbers:
        yield (
            f"labels that are numbers, kept: {done.numbers:,}; ids are texts, "
            "`ragguard lint --fix` puts them in quotes"
        )


def _of_mapping(done: Migration) -> Iterator[str]:
    if done.parents:
        told = _some([f"{old} → {new}" for old, new in done.parents])
        yield f"{plural(len(done.parents), 'move')} into another document: {told}"
    if done.chains:
        old, onward, location = done.chains[0]
        yield (
            f"{location}: {old!r} becomes {onward!r}, which itself moves; all moves are made at "
            f"once, none is followed ({plural(len(done.chains), 'such move')}): do not apply this "
            "mapping twice"
        )
    if done.unused:
        yield f"{plural(len(done.unused), 'old id')} in no row: {_some(done.unused)}"


def _some(ids: Collection[str]) -> str:
    named = ", ".join(islice(ids, _MOST_NAMED))
    more = len(ids) - _MOST_NAMED
    return f"{named} and {more:,} more" if more > 0 else named
