"""A field holds a value of the wrong type.

`"critical": "yes"` is no boolean: whatever reads it either fails or takes it for something else. The
finding stands at the value. `relevant_ids` beside `judgments` or `evidence` is also reported here,
for it excludes both.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": "c1"}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: write the value as the message says; leave out a field that has no value, instead of null.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.field_types import FIELD_TYPES
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG102", "wrong-type", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each value that is not of its field's type."""
    del suite
    for name, value in row.fields.items():
        type_ = FIELD_TYPES.get(name)
        for path, words, found in type_.misfits(value) if type_ else ():
            where = f"{name} is" if not path else f"{name} takes"
            message = f"{where} {words}, here {quoted(found)}"
            yield Finding(message, row.locate(name, *path), _hint(found, words), row.query_id)
    yield from _excluded(row)


def _hint(found: object, words: str) -> str:
    if found is None:
        return "leave the field out when it has no value"
    if words == "a text" and type(found) in {int, float}:
        return f'write it in quotes: "{quoted(found)}"'
    if words == "a list of ids" and isinstance(found, str):
        return "write it as a list, also when it is one"
    return f"write {words}"


def _excluded(row: DatasetRow) -> Iterator[Finding]:
    if not row.fields.get("relevant_ids"):
        return
    for other in ("judgments", "evidence"):
        if row.fields.get(other):
            message = f"relevant_ids stands beside {other}, which it excludes"
            hint = f"say everything in {other}, and remove relevant_ids"
            yield Finding(message, row.locate("relevant_ids"), hint, row.query_id)
