"""A query id has another text than on the base branch.

Results are compared query by query, by id: the history of the one query becomes that of the other.
Case, white space and punctuation may change; other words make another query. When most ids are
those of other queries, as after numbering all rows anew, that is told once. Runs with `--base REF`
only, and compares with the commit where the branch left REF.

Fails, when on the base branch the row says `"query": "opening hours"`:

```
{"query_id": "q1", "query": "parking at the shop", "relevant_ids": ["c2"]}
```

Passes:

```
{"query_id": "q1", "query": "Opening hours?", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "parking at the shop", "relevant_ids": ["c2"]}
```

To fix: give the new query an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG206", "reused-query-id", Severity.ERROR
SCOPE, NEEDS_BASE = Scope.SUITE, True

_MOST = 20
"""So many are told one by one, even when they are most of all."""


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query id whose text is another than it was."""
    base, changes = facts.base, facts.changes
    if base is None or changes is None or not changes.reworded:
        return
    count, first = len(changes.reworded), changes.reworded[0]
    if count > _MOST and 2 * count > facts.row_count:
        yield Finding(
            f"{count} of {facts.row_count} query ids were those of other queries at {base.ref}",
            first.location,
            "were all ids given anew? ids stay with their queries; new queries get new ones",
            first.query_id,
        )
        return
    before = base.texts({reworded.query_id for reworded in changes.reworded})
    for reworded in changes.reworded:
        known = reworded.query_id in before and not reworded.is_private
        text = quoted(before[reworded.query_id]) if known else "another query"
        yield Finding(
            f"the query id {quoted(reworded.query_id)} was that of {text} at {base.ref}",
            reworded.location,
            "give the new query an id of its own",
            reworded.query_id,
        )
