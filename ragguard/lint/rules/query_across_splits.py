"""The same query is in a split to tune on and in one that is held out.

What was tuned on the first tells nothing by the second. By their names, `dev`, `train`, `val` … are
splits to tune on, `holdout`, `test`, `blind` … are held out; `test-2026` is a `test`. A warning where
the two differ by case, white space or punctuation.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "split": "dev"}
{"query_id": "q2", "query": "opening hours", "relevant_ids": ["c1"], "split": "holdout"}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "split": "dev"}
{"query_id": "q2", "query": "parking", "relevant_ids": ["c2"], "split": "holdout"}
```

To fix: remove it from one of the two splits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.alike import Likeness, pairs_of
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG205", "query-across-splits", Severity.ERROR
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query that stood before on the other side of tuning and testing."""
    for pair in pairs_of(facts.recurrence.alike, Likeness.ACROSS_SPLITS):
        what = "stands" if pair.is_same_text else "nearly stands"
        yield replace(
            pair.finding(
                f"{pair.named} is of split {quoted(pair.later.split)} and {what} "
                f"in {quoted(pair.earlier.split)}, at {pair.first}",
                "remove it from one of the two splits",
            ),
            severity=Severity.ERROR if pair.is_same_text else Severity.WARNING,
        )
