"""The day until which a label was to be looked at again has passed.

`review_by` is the last day on which the labels of a row hold without another look: a price list that
ends, a policy that is renewed. Compared with the day in UTC.

Fails, on 1 July 2026:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "review_by": "2026-06-30"}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "review_by": "2026-12-31"}
```

To fix: look at the labels; then write the next day of review, or remove the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG405", "review-overdue", Severity.WARNING
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each day of review before today."""
    for review in facts.reviews:
        late = (facts.today - review.review_by).days
        if late > 0:
            yield Finding(
                f"the labels were to be reviewed by {review.review_by}, "
                f"{'1 day' if late == 1 else f'{late} days'} ago",
                review.location,
                "look at the labels, then write the next day of review",
                review.query_id,
            )
