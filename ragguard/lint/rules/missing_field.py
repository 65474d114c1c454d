"""A required field is missing.

Without `query` there is nothing to ask; without `query_id` two runs cannot be compared query by
query, and deleting a row looks like a change of all rows after it.

Fails:

```
{"query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: add the field. A dataset that uses other names is mapped in ragguard.yml
(`fields: {query: question}`); one without ids may say `query_id: "@hash"`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG101", "missing-field", Severity.ERROR
SCOPE = Scope.ROW


REQUIRED = ("query_id", "query")
_HINTS = {
    "query_id": "add one that is unique in the suite, or map it: fields: {query_id: …}",
    "query": "add the text that is searched for, or map it: fields: {query: …}",
}


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each required field that a row lacks."""
    for name in REQUIRED:
        if name not in row.fields:
            message = f"the field {suite.fields.get(name, name)!r} is missing"
            yield Finding(message, row.locate(), _HINTS[name], row.query_id)
