"""An id is not a string.

`1` and `"1"` are different ids. A retriever that answers with strings never finds a label that is a
number, and recall is 0 without a word.

Fails:

```
{"query_id": 1, "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: `ragguard lint --fix` puts an integer in quotes, digit for digit. null, a fraction or a list
needs you.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import named_ids
from ragguard.lint.literal import quote, span_of

CODE, NAME, SEVERITY = "RG111", "id-not-string", Severity.ERROR
FIXABLE = True


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each id of a row that is no string."""
    del suite
    if "query_id" in row.fields and not isinstance(row.fields["query_id"], str):
        span = row.span("query_id")
        fix = quote(row, span) if span else None
        value = quoted(row.fields["query_id"])
        message = f"the query id is {value}, not a string"
        yield Finding(message, row.locate("query_id"), _hint(value, fix), None, fix)
    for named in named_ids(row):
        if not isinstance(named.value, str):
            span = span_of(named)
            fix = quote(row, span) if span else None
            value = quoted(named.value)
            message = f"an id in {named.field} is {value}, not a string"
            yield Finding(message, named.location, _hint(value, fix), row.query_id, fix)


def _hint(value: str, fix: Fix | None) -> str:
    return f'write it in quotes: "{value}"; --fix does' if fix else "ids are strings"
