"""The same query stands twice.

It counts twice in every mean, and a retriever that loses it loses twice. Text and `context` are the
same, and so are the labels (RG202 when they are not).

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
{"query_id": "q2", "query": "opening hours on holidays", "relevant_ids": ["c1"]}
```

To fix: remove one of the two. A query that is asked more often than others has a higher `weight`.
`ragguard lint --fix --unsafe-fixes` removes the later row where it stands in the same file and is, but
for its id, the same to the last character.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.finding import Finding
from ragguard.lint.fixes.literal import remove_row
from ragguard.lint.rule import Scope
from ragguard.lint.suite.alike import Likeness, pairs_of
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG203", "repeated-query", Severity.WARNING
SCOPE = Scope.SUITE
UNSAFELY_FIXABLE = True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query that stood before with the same labels."""
    pairs = list(pairs_of(facts.recurrence.alike, Likeness.SAME))
    places = {each.location for pair in pairs for each in (pair.earlier, pair.later)}
    rows = {(row.file, row.line.number): row for row in facts.rows_on(places)}
    for pair in pairs:
        earlier, later = (
            rows.get((each.location.file, each.location.line or 0))
            for each in (pair.earlier, pair.later)
        )
        found = pair.finding(
            f"{pair.named} stands twice; first at {pair.first}",
            "remove one of the two; how often it is asked is its weight",
        )
        yield replace(found, fix=_removal(earlier, later))


def _removal(earlier: DatasetRow | None, later: DatasetRow | None) -> Fix | None:
    """The fix that removes the later of two rows which are the same but for their ids."""
    if earlier is None or later is None or earlier.file != later.file:
        return None  # the other file may hold no other row
    if _without_id(earlier) != _without_id(later):
        return None
    return replace(remove_row(later, "remove the row"), is_safe=False)


def _without_id(row: DatasetRow) -> str:
    span = row.span("query_id")
    return row.text[: span.start] + row.text[span.end :] if span else row.text
