"""The same query stands twice.

It counts twice in every mean, and a retriever that loses it loses twice. Text and `context` are the
same, and so are the labels (RG202 when they are not).

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours on holidays", "relevant_ids": ["c1"]}
```

To fix: remove one of the two. A query that is asked more often than others has a higher `weight`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.alike import Likeness, pairs_of
from ragguard.lint.diagnostic import Severity
from ragguard.lint.facts import SuiteFacts
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG203", "repeated-query", Severity.WARNING
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query that stood before with the same labels."""
    for pair in pairs_of(facts.alike, Likeness.SAME):
        yield pair.finding(
            f"{pair.named} stands twice; first at {pair.first}",
            "remove one of the two; how often it is asked is its weight",
        )
