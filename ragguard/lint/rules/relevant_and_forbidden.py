"""An id is both relevant and forbidden.

The query can then neither be answered without a violation nor be gated.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "forbidden_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "forbidden_ids": ["c2"]}
```

To fix: remove it from one of the two. A chunk that only some may see is labelled in one query and
forbidden in another, each with its own `context`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import named_ids
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG305", "relevant-and-forbidden", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each forbidden id that is relevant in the same row."""
    if not row.fields.get("forbidden_ids"):
        return
    relevant = _relevant(row, suite.scoring.policy.relevance_threshold)
    for named in named_ids(row):
        if named.field == "forbidden_ids" and named.value in relevant:
            yield Finding(
                f"{quoted(named.value)} is relevant and forbidden",
                named.location,
                "remove it from one of the two",
                row.query_id,
            )


def _relevant(row: DatasetRow, threshold: int) -> list[object]:
    """A list: what stands in place of an id may not be hashable."""
    judgments = row.fields.get("judgments")
    grades = judgments if isinstance(judgments, dict) else {}
    return [
        named.value
        for named in named_ids(row)
        if named.field in {"relevant_ids", "evidence"}
        or (named.field == "judgments" and _reaches(grades.get(named.value), threshold))
    ]


def _reaches(grade: object, threshold: int) -> bool:
    return isinstance(grade, int) and grade >= threshold
