"""A grade is negative or above the scale.

Grades are integers from 0 up: 0 is judged and not relevant. A negative gain makes nDCG meaningless
(it can leave 0 to 1), and above 1000 the gain 2^grade of `ndcg_exp2` is beyond what a number can
hold.

Fails:

```
{"query_id": "q1", "query": "opening hours", "judgments": {"c1": 2, "c2": -1}}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "judgments": {"c1": 2, "c2": 0}}
```

To fix: write 0 for a judged chunk that is not relevant; scale other grades to a small range.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.field_types import HIGHEST_GRADE, is_integer
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG109", "bad-grade", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each grade outside 0 to 1000."""
    del suite
    judgments = row.fields.get("judgments")
    if not isinstance(judgments, dict):
        return
    for chunk_id, grade in judgments.items():
        if is_integer(grade) and not 0 <= grade <= HIGHEST_GRADE:
            fault = "negative" if grade < 0 else f"above {HIGHEST_GRADE}"
            yield Finding(
                f"the grade {quoted(grade)} of {quoted(chunk_id)} is {fault}",
                row.locate("judgments", chunk_id),
                "0 is judged and not relevant; grades go up from there",
                row.query_id,
            )
