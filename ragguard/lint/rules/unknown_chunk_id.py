"""A label names a chunk that the corpus does not have.

Such a query can never be answered in full, however good the retriever is: recall has a ceiling
below 1, and nobody sees why. A forbidden id that the corpus lacks guards nothing. The finding names
the nearest ids of the manifest, and says so when they differ by case, normalisation, white space, a
prefix or a suffix only, or when a spreadsheet or a CSV reader took the id for a number: `0912`
became `912`, `36e54439` became `inf`. The nearest are looked up for the first 20 unknown ids.

A label on a document is RG302, a blank id is RG106, and when most labels are unknown that is RG307:
then this rule is silent, unless those are switched off.

Fails, when the manifest has `c1` only:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["C1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: correct the id. `ragguard lint --fix --unsafe-fixes` does where exactly one is meant: it differs
by case, normalisation, white space, a prefix or a number's form only, or by one letter that is no
digit. When the chunk is gone, label the one that holds its content now.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.fixes.literal import trimmed
from ragguard.lint.fixes.relabelling import relabelled
from ragguard.lint.labels import NamedId, named_ids
from ragguard.lint.rechunking import is_rechunked
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

if TYPE_CHECKING:
    from ragguard.corpus.nearest import Near

CODE, NAME, SEVERITY = "RG301", "unknown-chunk-id", Severity.ERROR
SCOPE = Scope.SUITE
NEEDS_CORPUS = True
UNSAFELY_FIXABLE = True


_SHORTEST_SLIP = 5
"""Characters of an id below which one edit may well make another id."""

MOST_EXPLAINED = 20
"""Distinct unknown ids for which the nearest are looked up: each is compared with every chunk."""

_UNEXPLAINED = (
    f"nearest ids are looked up for the first {MOST_EXPLAINED} unknown ones; mend those first"
)


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each labelled or forbidden id that the manifest lacks, wherever it stands."""
    manifest, view = facts.manifest, facts.view
    if manifest is None or view is None:
        return
    if is_rechunked(facts):
        return
    unknown = sorted(
        chunk_id
        for chunk_id in view.missing
        if (trimmed(chunk_id) or "RG106" not in facts.codes)
        and (chunk_id not in view.parents or "RG302" not in facts.codes)
    )
    if not unknown:
        return
    nearest = manifest.nearest(unknown[:MOST_EXPLAINED])
    meant = {
        chunk_id: only
        for chunk_id, nears in nearest.items()
        if (only := only_meant(chunk_id, nears)) is not None
    }
    wanted = frozenset(unknown)
    for row in facts.rows_naming(wanted):
        fixes = relabelled(row, meant)
        for named in named_ids(row):
            if isinstance(named.value, str) and named.value in wanted:
                hint = hint_of(nearest.get(named.value))
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
        return None if first.is_part else first.chunk_id
    is_slip = len(chunk_id) >= _SHORTEST_SLIP and _digits(chunk_id) == _digits(first.chunk_id)
    return first.chunk_id if is_slip else None


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def hint_of(nears: tuple[Near, ...] | None) -> str:
    """The way out for an unknown id, from the ids that are near to it; None: nobody looked."""
    if nears is None:
        return _UNEXPLAINED
    if not nears:
        return "no id in the manifest is near to it; is the manifest that of the labels?"
    *others, last = [quoted(near.chunk_id) for near in nears]
    listed = f"{', '.join(others)} or {last}" if others else last
    if nears[0].is_number:
        return f"{listed} lost {nears[0].difference} to number inference; read ids as texts"
    if nears[0].difference and not others:
        return f"{listed} differs from it only by {nears[0].difference}"
    return f"did you mean {listed}?"
