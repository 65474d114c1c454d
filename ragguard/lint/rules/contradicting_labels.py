"""The same query stands twice with other labels.

A retriever cannot be right for both: what one row requires the other does not know. A query is its
text and its `context`: asked for another tenant or day it is another query. The order of labels
does not count, nor does writing them as groups of one.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours", "relevant_ids": ["c2"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "context": {"tenant": "a"}, "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours", "context": {"tenant": "b"}, "relevant_ids": ["c2"]}
```

To fix: keep one row with the labels that are right. Chunks that answer equally well are one group of
`evidence`; what makes the two differ belongs in the query or in its `context`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.alike import Likeness, pairs_of
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG202", "contradicting-labels", Severity.ERROR
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query that stood before with other labels."""
    for pair in pairs_of(facts.recurrence.alike, Likeness.OTHER_LABELS):
        yield pair.finding(
            f"{pair.named} stands twice with other labels; first at {pair.first}",
            "keep one row with the labels that are right",
        )
