"""The text of a query is blank.

There is nothing to search for; a retriever answers with an error, or with anything.

Fails:

```
{"query_id": "q1", "query": "  ", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: write the text, or remove the row.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG105", "blank-query", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield a query of white space only."""
    del suite
    text = row.fields.get("query")
    if isinstance(text, str) and not text.strip():
        hint = "write the text that is searched for, or remove the row"
        yield Finding("the query is blank", row.locate("query"), hint, row.query_id)
