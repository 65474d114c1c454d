"""No query of a suite is critical, or every query is.

The gate on critical queries lets no average and no significance test excuse a loss: it is what
protects the few answers that must not be lost. Without a critical query it judges nothing. Where all
are critical a single miss blocks every change, and the first one that is accepted makes the gate a
formality.

Only queries that the corpus can answer count; the others have no evidence to lose. One finding a
suite, at the beginning of its first file.

Fails, when no other row is critical either:

```
{"query_id": "q1", "query": "how do I report a data leak?", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "how do I report a data leak?", "relevant_ids": ["c1"], "critical": true}
{"query_id": "q2", "query": "opening hours", "relevant_ids": ["c2"]}
```

Measured on 30 public suites: none has a critical query, and each is reported.

To fix: mark the queries whose loss is a material risk with `"critical": true`, and only those.
Ignore RG504 for the file of a suite that is made of critical queries on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.location import Location

CODE, NAME, SEVERITY = "RG504", "critical-share", Severity.WARNING
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield one finding when none, or all, of a suite's answerable queries are critical."""
    counted = facts.tally
    if not counted.answerable or 0 < counted.critical < counted.answerable:
        return
    beginning = Location(facts.files[0].shown, 1, 1)
    if counted.critical:
        message = f"every answerable query of the suite, {counted.answerable} in all, is critical"
        hint = "keep `critical` for queries whose loss is a material risk"
    else:
        message = f"none of the {counted.answerable} answerable queries of the suite is critical"
        hint = 'mark those whose loss is a material risk with "critical": true'
    yield Finding(message, beginning, hint)
