"""A field name is one slip from a known one, which is absent.

An unknown field is kept and ignored. `"citical": true` therefore makes nothing critical, and
`"forbiden_ids"` forbids nothing, without a word. Names are compared with known ones of five letters
or more: one letter more, less or other, two swapped, or another style (`queryId`). So are what other
tools call them (`forbidden_doc_ids`, `must_rank_at_most`), spelt right or nearly.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "citical": true}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "critical": true}
```

To fix: correct the name; or, when the field is your own and meant so, ignore the rule for the file
(`lint: {per_file_ignores: {"eval/*.jsonl": [RG103]}}`).
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.plain_row import known_names
from ragguard.lint.rule import Scope
from ragguard.lint.slip import known_near

CODE, NAME, SEVERITY = "RG103", "misspelt-field", Severity.ERROR
SCOPE = Scope.ROW


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each unknown name at the top of a row that was meant for a known one."""
    del suite
    names = known_names(row.mapping)
    for name in row.value:
        near = next((each for each in known_near(name, names) if each not in row.value), None)
        if near is not None:
            message, hint = f"unknown field {quoted(name)}", f"did you mean {near!r}?"
            yield Finding(message, row.locate_key(name), hint, row.query_id)
