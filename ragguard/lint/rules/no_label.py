"""A query that should have an answer has no label.

Nothing counts as found for it, so it has no recall, and drops out of every mean.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": []}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: add `relevant_ids`, `judgments` or `evidence`. If the corpus has no answer, say so with
`"answerable": false`. If rows without labels are meant to be such, set `unlabelled: unanswerable`
for the suite.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.labels import LABEL_FIELDS, has_label, is_answerable
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG104", "no-label", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield an answerable row without any label; at the field that is empty, if there is one."""
    fields = row.fields
    if has_label(fields) or not is_answerable(fields):
        return
    if suite.unlabelled == "unanswerable" and "answerable" not in fields:
        return
    empty = next((name for name in LABEL_FIELDS if name in fields), None)
    written = suite.fields.get("relevant_ids", "relevant_ids")
    yield Finding(
        "no label on an answerable query",
        row.locate(empty) if empty else row.locate(),
        f'add {written}, or say "answerable": false',
        row.query_id,
    )
