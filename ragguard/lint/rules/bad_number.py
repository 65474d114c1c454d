"""A number is NaN, infinite or out of range.

JSON has no NaN and no Infinity, and a number beyond the range of a double becomes infinite without
a word. Means over such values mean nothing.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "weight": NaN}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "weight": 2}
```

To fix: write a number, or leave the field out.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.fault import FaultKind
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG008", "bad-number", Severity.ERROR
SCOPE = Scope.LINE


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the decoder's faults of this kind."""
    yield from line.faults(FaultKind.NUMBER)
