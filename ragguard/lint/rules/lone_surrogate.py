r"""A text holds half of a surrogate pair.

`\ud83d` alone is no character. Such a text cannot be written as UTF-8, so it cannot be sent to a
retriever, nor compared with an id of the corpus. It comes from cutting texts at a number of UTF-16
units.

Fails:

```
{"query_id": "q1", "query": "opening hours \ud83d", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours \ud83d\ude42", "relevant_ids": ["c1"]}
```

To fix: write the character itself, or both halves of its pair.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.fault import FaultKind
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG009", "lone-surrogate", Severity.ERROR
SCOPE = Scope.LINE


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the decoder's faults of this kind."""
    yield from line.faults(FaultKind.SURROGATE)
