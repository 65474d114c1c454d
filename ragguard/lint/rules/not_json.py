"""The line is not JSON.

A row that cannot be read is a query that is not asked. The finding stands at the first character
that JSON does not allow and says what was probably meant: a trailing comma, a comment, single
quotes, a row that was cut off.

Fails:

```
{'query_id': 'q1', 'query': 'opening hours', 'relevant_ids': ['c1'],}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

A file that is one JSON list or object over many lines has one finding, at its beginning.

To fix: write the row as one JSON object on one line. A program should write it with a JSON library.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.fault import FaultKind
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG005", "not-json", Severity.ERROR
SCOPE = Scope.LINE


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the decoder's faults of this kind; one for a file that is JSON but no JSON Lines."""
    if line.whole is not None:
        message, hint = line.whole
        yield Finding(f"the file is {message}", line.at(), hint)
        return
    yield from line.faults(FaultKind.SYNTAX)
