"""A label names a chunk that is superseded or withdrawn.

The index no longer has it, or should not have it: a retriever that does right loses recall. Silent
when the query asks as of a day on which the chunk held (`context.as_of` within its
`effective_from` and `effective_to`).

Fails, when the manifest says `{"id": "c1", "status": "superseded", "superseded_by": "c2"}`:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c2"]}
```

To fix: label the chunk that replaced it, if it still answers the query. `ragguard lint --fix
--unsafe-fixes` does so where that chunk is active, of the same document and with the same `access`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.fixes.relabelling import relabelled
from ragguard.lint.labels import named_ids
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

if TYPE_CHECKING:
    from ragguard.corpus.chunk import Chunk
    from ragguard.corpus.manifest import Manifest

CODE, NAME, SEVERITY = "RG303", "stale-label", Severity.ERROR
SCOPE = Scope.SUITE
NEEDS_CORPUS = True
UNSAFELY_FIXABLE = True

_MOST_STEPS = 5
"""How many times a chunk may have been superseded for its successor still to be looked up."""


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each relevant label on a chunk that does not hold."""
    if facts.view is None:
        return
    stale = {
        chunk_id: chunk
        for chunk_id, chunk in facts.view.notable.items()
        if chunk.status in {"superseded", "withdrawn"}
    }
    threshold = facts.suite.scoring.policy.relevance_threshold
    successors = _successors(stale, facts.manifest)
    for row in facts.rows_naming(stale) if stale else ():
        holding = {
            chunk_id: successor.chunk_id
            for chunk_id, successor in successors.items()
            if _holds_for(successor, row)
        }
        fixes = relabelled(row, holding)
        for named in named_ids(row):
            chunk = stale.get(named.value) if isinstance(named.value, str) else None
            if chunk is None or named.field == "forbidden_ids" or _held(chunk, row):
                continue
            if named.is_key and not _reaches(row.fields["judgments"][named.value], threshold):
                continue
            yield Finding(
                f"{quoted(chunk.chunk_id)} is {chunk.status} in the corpus",
                named.location,
                _hint(chunk),
                row.query_id,
                fixes.get(named.value),
            )


def _successors(stale: Mapping[str, Chunk], manifest: Manifest | None) -> dict[str, Chunk]:
    """By stale chunk the active one that took its place, through any number of steps.

    Left out are those of another document or for other readers: only a person can say whether
    such a chunk answers the query.
    """
    found: dict[str, Chunk] = {}
    pending = {id_: chunk for id_, chunk in stale.items() if chunk.superseded_by}
    for _ in range(_MOST_STEPS):
        if not pending or manifest is None:
            break
        wanted = {chunk.superseded_by for chunk in pending.values() if chunk.superseded_by}
        chunks = manifest.chunks(wanted)
        steps = {id_: chunks.get(chunk.superseded_by or "") for id_, chunk in pending.items()}
        pending = {}
        for id_, chunk in steps.items():
            if chunk is None or not _is_alike(chunk, stale[id_]):
                continue
            if chunk.status == "active":
                found[id_] = chunk
            elif chunk.superseded_by:
                pending[id_] = chunk
    return found


def _is_alike(chunk: Chunk, other: Chunk) -> bool:
    """Whether two chunks are of one document and seen by the same readers."""
    return chunk.parent_id == other.parent_id and set(chunk.access) == set(other.access)


def _holds_for(successor: Chunk, row: DatasetRow) -> bool:
    """Whether a chunk holds on the day as of which the row asks, if it asks so."""
    context = row.fields.get("context")
    asks = isinstance(context, dict) and "as_of" in context
    dated = successor.effective_from or successor.effective_to
    return not (asks and dated) or _held(successor, row)


def _held(chunk: Chunk, row: DatasetRow) -> bool:
    """Whether the chunk held on the day as of which the row asks; both ends inclusive."""
    context = row.fields.get("context")
    as_of = context.get("as_of") if isinstance(context, dict) else None
    if not isinstance(as_of, str) or not (chunk.effective_from or chunk.effective_to):
        return False
    begins, ends = chunk.effective_from or "", chunk.effective_to or "9999-12-31"
    return begins[:10] <= as_of[:10] <= ends[:10]


def _reaches(grade: object, threshold: int) -> bool:
    return isinstance(grade, int) and grade >= threshold


def _hint(chunk: Chunk) -> str:
    if chunk.superseded_by:
        return f"its successor is {quoted(chunk.superseded_by)}; does it answer the query?"
    return "label a chunk that holds, or remove the label"
