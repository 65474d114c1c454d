"""No judgment of a query reaches the relevance threshold.

The row is judged, and yet has nothing to find: recall and every other binary measure are undefined
for it, and it drops out of the means.

Fails:

```
{"query_id": "q1", "query": "opening hours", "judgments": {"c1": 0}}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "judgments": {"c1": 1, "c2": 0}}
```

To fix: judge the chunk that answers the query, lower the suite's `relevance_threshold`, or say
`"answerable": false` and remove the judgments.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.field_types import is_integer
from ragguard.lint.finding import Finding
from ragguard.lint.labels import is_answerable
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG110", "nothing-relevant", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield an answerable row all of whose grades are below the threshold."""
    fields = row.fields
    judgments, threshold = fields.get("judgments"), suite.scoring.policy.relevance_threshold
    if not isinstance(judgments, dict) or not judgments or not is_answerable(fields):
        return
    if fields.get("evidence") or fields.get("relevant_ids") or fields.get("spans"):
        return
    grades = [grade for grade in judgments.values() if is_integer(grade)]
    if grades and len(grades) == len(judgments) and max(grades) < threshold:
        yield Finding(
            f"no judgment reaches the relevance threshold {threshold}",
            row.locate("judgments"),
            f'give a chunk the grade {threshold} or more, or say "answerable": false',
            row.query_id,
        )
