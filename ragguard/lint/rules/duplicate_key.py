"""A key stands twice in one object.

JSON readers keep one of the two values, mostly the last, and say nothing: half of the labels are
gone. The finding stands at the second.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "relevant_ids": ["c2"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1", "c2"]}
```

To fix: join the two values, or remove one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.fault import FaultKind
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG007", "duplicate-key", Severity.ERROR
SCOPE = Scope.LINE


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the decoder's faults of this kind."""
    yield from line.faults(FaultKind.DUPLICATE_KEY)
