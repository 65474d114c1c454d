"""A query id stands twice in a suite.

Reports are compared query by query, by id. Of two queries with one id one is lost, or each is
compared with the other. All files of a suite are looked at together; the finding stands at the
second and names the first.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q1", "query": "parking", "relevant_ids": ["c2"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "parking", "relevant_ids": ["c2"]}
```

To fix: give one of the two another id; or remove it, if they are the same row twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG201", "repeated-query-id", Severity.ERROR
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query id that was met before."""
    for twin in facts.recurrence.twins:
        yield Finding(
            f"the query id {quoted(twin.query_id)} stands twice; first at {twin.first}",
            twin.location,
            "give one of the two another id",
            twin.query_id,
        )
