"""A query that is said to have no answer has labels.

One of the two is wrong. An unanswerable query is left out of recall, so its labels count for
nothing.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "answerable": false}
```

Passes:

```
{"query_id": "q1", "query": "opening hours on Mars", "answerable": false}
```

To fix: remove `"answerable": false`, or the labels. A judgment of grade 0 is no label of relevance,
and may stay in neither case: unanswerable rows carry no labels at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.labels import LABEL_FIELDS, is_answerable
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG108", "labelled-unanswerable", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each label field of an unanswerable row that is not empty."""
    del suite
    if is_answerable(row.fields):
        return
    for name in LABEL_FIELDS:
        if row.fields.get(name):
            message = f"{name} on a query that is not answerable"
            hint = 'remove the labels, or "answerable": false'
            yield Finding(message, row.locate(name), hint, row.query_id)
