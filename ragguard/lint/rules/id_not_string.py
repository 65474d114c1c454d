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

To fix: `ragguard lint --fix` puts an integer in quotes, digit for digit. null, a fraction, a list,
or a query id that another query would then have too, needs you.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragguard.config.model import Suite
from ragguard.dataset.positions import Span
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.finding import Finding, quoted, shortened
from ragguard.lint.fixes.literal import quote, span_of
from ragguard.lint.labels import named_ids
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG111", "id-not-string", Severity.ERROR
SCOPE = Scope.ROW
FIXABLE = True


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each id of a row that is no string."""
    del suite
    if "query_id" in row.fields and not isinstance(row.fields["query_id"], str):
        span = row.span("query_id")
        value, fix = _written(row, row.fields["query_id"], span)
        if fix and span:
            fix = replace(fix, query_id=row.text[span.start : span.end])
        message = f"the query id is {value}, not a string"
        yield Finding(message, row.locate("query_id"), _hint(value, fix), None, fix)
    for named in named_ids(row):
        if not isinstance(named.value, str):
            value, fix = _written(row, named.value, span_of(named))
            message = f"an id in {named.field} is {value}, not a string"
            yield Finding(message, named.location, _hint(value, fix), row.query_id, fix)


def _written(row: DatasetRow, value: object, span: Span | None) -> tuple[str, Fix | None]:
    """The value as a message names it, a number in the digits of the row; and its fix."""
    if span is None or type(value) not in {int, float}:
        return quoted(value), None
    digits = row.text[span.start : span.end]
    return shortened(digits), quote(row, span)


def _hint(value: str, fix: Fix | None) -> str:
    return f'write it in quotes: "{value}"' if fix else "ids are strings"
