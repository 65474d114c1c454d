"""An id stands twice in one list of a row.

Counted twice it makes recall smaller than it is; counted once it makes the list longer than it is.
Mostly one of the two was meant to be another id.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1", "c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: `ragguard lint --fix` removes the later one. Look first whether another id was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.fixes.literal import remove_item, span_of
from ragguard.lint.labels import named_ids
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG107", "repeated-label", Severity.ERROR
SCOPE = Scope.ROW
FIXABLE = True


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each id that stands earlier in the same list already."""
    del suite
    seen: set[tuple[tuple[str | int, ...], str]] = set()
    for named in named_ids(row):
        if not isinstance(named.value, str) or named.is_key:
            continue
        place = (named.path[:-1], named.value)
        if place in seen:
            span = span_of(named)
            yield Finding(
                f"the id {quoted(named.value)} stands twice in {named.field}",
                named.location,
                "remove one of the two",
                row.query_id,
                remove_item(row, span) if span else None,
            )
        seen.add(place)
