"""A query id has another text than on the base branch.

Results are compared query by query, by id: the history of the one query becomes that of the other.
Case, white space and punctuation may change; other words make another query. Runs with
`--base REF` only, and compares with the commit where the branch left REF.

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

from ragguard.lint.base import is_reworded, row_print
from ragguard.lint.diagnostic import Severity
from ragguard.lint.facts import SuiteFacts
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.location import Location

CODE, NAME, SEVERITY = "RG206", "reused-query-id", Severity.ERROR
SCOPE, NEEDS_BASE = Scope.SUITE, True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query id whose text is another than it was."""
    base = facts.base
    reused = dict(_reused(facts))
    if base is None or not reused:
        return
    before = base.texts({query_id for query_id, _ in reused.values()})
    for location, (query_id, is_private) in reused.items():
        known = query_id in before and not is_private
        text = quoted(before[query_id]) if known else "another query"
        yield Finding(
            f"the query id {quoted(query_id)} was that of {text} at {base.ref}",
            location,
            "give the new query an id of its own",
            query_id,
        )


def _reused(facts: SuiteFacts) -> Iterator[tuple[Location, tuple[str, bool]]]:
    """Where a reworded query has its id, with the id and whether its text is private."""
    base = facts.base
    if base is None or not base.rows:
        return
    for row in facts.rows(base.changed):
        query_id = row.query_id
        before = base.rows.get(query_id) if query_id is not None else None
        if query_id is not None and before and is_reworded(before, row_print(row.fields)):
            is_private = row.fields.get("private") is True
            yield row.locate("query_id"), (query_id, is_private)
