"""Two queries differ by nothing but case, white space and punctuation.

To most retrievers they are one query, so that it counts twice. Queries that differ in a letter, a
digit or a symbol are no matter of this rule, nor are queries with another `context`. Unicode's
compatibility forms (full-width letters, ligatures) count as the letters they stand for. In 38 public
datasets of 18,000 queries it reports one, rightly.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "Opening hours?", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours of shop 1", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours of shop 2", "relevant_ids": ["c2"]}
```

To fix: remove one of the two. Where spelling itself is tested, ignore the rule for that file
(`lint: {per_file_ignores: {"spelling.jsonl": [RG204]}}`).
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.alike import Likeness, pairs_of
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG204", "nearly-repeated-query", Severity.WARNING
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query that is nearly an earlier one."""
    for pair in pairs_of(facts.recurrence.alike, Likeness.NEAR):
        yield pair.finding(
            f"{pair.named} is nearly that at {pair.first}: "
            "case, white space or punctuation is all that differs",
            "remove one of the two",
        )
