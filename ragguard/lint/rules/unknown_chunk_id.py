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

To fix: correct the id. When the chunk is gone, label the one that holds its content now. When very
many ids are unknown, the manifest is not that of the labels, or the corpus was cut anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Severity
from ragguard.lint.facts import SuiteFacts
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import NamedId, named_ids
from ragguard.lint.rule import Scope

if TYPE_CHECKING:
    from ragguard.corpus.nearest import Near

CODE, NAME, SEVERITY = "RG301", "unknown-chunk-id", Severity.ERROR
SCOPE = Scope.SUITE
NEEDS_CORPUS = True


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
    wanted = frozenset(unknown)
    for row in facts.rows_naming(unknown):
        for named in named_ids(row):
            if isinstance(named.value, str) and named.value in wanted:
                hint = _hint(nearest.get(named.value), view.parents.get(named.value, 0))
                yield _finding(named, manifest.shown, hint)


def _finding(named: NamedId, manifest: str, hint: str | None) -> Finding:
    message = f"{quoted(named.value)} is not in {manifest}"
    return Finding(message, named.location, hint, named.row.query_id)


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
