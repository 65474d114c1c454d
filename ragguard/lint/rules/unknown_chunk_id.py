"""A label names a chunk that the corpus does not have.

Such a query can never be answered in full, however good the retriever is: recall has a ceiling
below 1, and nobody sees why. A forbidden id that the corpus lacks guards nothing. The finding names
the nearest ids of the manifest, and says so when they differ by case, normalisation, white space or
a prefix only.

Fails, when the manifest has `c1` only:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["C1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: correct the id. `ragguard lint --fix --unsafe-fixes` does where exactly one is meant: it differs
by case, normalisation, white space or a prefix only, or by one letter that is no digit. When the chunk is gone, label the one that holds its content now. When very
many ids are unknown, the manifest is not that of the labels, or the corpus was cut anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.facts import SuiteFacts
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import NamedId, named_ids
from ragguard.lint.relabelling import relabelled
from ragguard.lint.rule import Scope

if TYPE_CHECKING:
    from ragguard.corpus.nearest import Near

CODE, NAME, SEVERITY = "RG301", "unknown-chunk-id", Severity.ERROR
SCOPE = Scope.SUITE
NEEDS_CORPUS = True
UNSAFELY_FIXABLE = True


_SHORTEST_SLIP = 5
"""Characters of an id below which one edit may well make another id."""

MOST_EXPLAINED = 100
"""Distinct unknown ids for which the nearest are looked up: each is compared with every chunk."""


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each labelled or forbidden id that the manifest lacks, wherever it stands."""
    manifest, view = facts.manifest, facts.view
    if manifest is None or view is None:
        return
    unknown = [chunk_id for chunk_id in facts.labels if chunk_id in view.missing]
    if not unknown:
        return
    nearest = manifest.nearest(unknown[:MOST_EXPLAINED])
    meant = {
        chunk_id: only
        for chunk_id, nears in nearest.items()
        if chunk_id not in view.parents and (only := only_meant(chunk_id, nears)) is not None
    }
    wanted = frozenset(unknown)
    for row in facts.rows_naming(wanted):
        fixes = relabelled(row, meant)
        for named in named_ids(row):
            if isinstance(named.value, str) and named.value in wanted:
                hint = _hint(nearest.get(named.value), view.parents.get(named.value, 0))
                yield _finding(named, manifest.shown, hint, fixes.get(named.value))


def _finding(named: NamedId, manifest: str, hint: str | None, fix: Fix | None) -> Finding:
    message = f"{quoted(named.value)} is not in {manifest}"
    return Finding(message, named.location, hint, named.row.query_id, fix)


def only_meant(chunk_id: str, nears: tuple[Near, ...]) -> str | None:
    """The one id that can be meant; None when several can, or it is not near enough to say.

    One edit may be a slip in a word, never in a number: `c12` is not `c13`.
    """
    first = nears[0] if nears else None
    if first is None or first.distance > 1:
        return None
    if any(other.distance == first.distance for other in nears[1:]):
        return None
    if first.distance == 0:
        return first.chunk_id
    is_slip = len(chunk_id) >= _SHORTEST_SLIP and _digits(chunk_id) == _digits(first.chunk_id)
    return first.chunk_id if is_slip else None


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def _hint(nears: tuple[Near, ...] | None, parts: int) -> str | None:
    if parts:
        chunks = "chunk" if parts == 1 else "chunks"
        return f"it is a document of {parts} {chunks} there; label the chunks"
    if nears is None:
        return None
    if not nears:
        return "no id in the manifest is near to it; is the manifest that of the labels?"
    if nears[0].difference:
        return f"{quoted(nears[0].chunk_id)} differs from it only by {nears[0].difference}"
    *others, last = [quoted(near.chunk_id) for near in nears]
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"did you mean {listed}?"
