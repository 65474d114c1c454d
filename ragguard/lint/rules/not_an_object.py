"""The line is JSON, but no object.

A row is an object with fields. A list or a bare text has none, so nothing can be asked.

Fails:

```
["q1", "opening hours", "c1"]
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: write one object a line. A file that is one JSON array must be written one object a line.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.fault import FaultKind
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG006", "not-an-object", Severity.ERROR
SCOPE = Scope.LINE


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the decoder's faults of this kind."""
    yield from line.faults(FaultKind.NOT_AN_OBJECT)
