"""An id is blank, or has white space around it or control characters in it.

Ids are compared byte for byte. `"c1 "` is not `"c1"`: the label can never be found, and nobody sees
why.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1 "]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: `ragguard lint --fix` removes the white space around an id; around the key of a judgment, which
may be meant for another one, with `--unsafe-fixes`. A blank id, a control character inside one, or a
query id that another query would then have too, needs you.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ragguard.config.model import Suite
from ragguard.dataset.positions import Span
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.fixes.literal import has_control, span_of, trim, trimmed
from ragguard.lint.labels import named_ids
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG106", "malformed-id", Severity.ERROR
SCOPE = Scope.ROW
FIXABLE = True
UNSAFELY_FIXABLE = True


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each id of a row that is not well formed."""
    del suite
    query_id = row.fields.get("query_id")
    if isinstance(query_id, str) and not row.mapping.hashes_ids:
        fault = _fault(query_id)
        if fault:
            fix = _fix(row, query_id, row.span("query_id"))
            if fix:
                fix = replace(fix, query_id=trimmed(query_id))
            message = f"the id {quoted(query_id)} {fault}"
            yield Finding(message, row.locate("query_id"), _hint(fix), query_id, fix)
    hashes = row.fields.get("label_hashes")
    hashed = hashes if isinstance(hashes, dict) else ()
    for named in named_ids(row):
        fault = _fault(named.value) if isinstance(named.value, str) else None
        if fault:
            fix = None
            if named.value in hashed:
                pass  # the hash of the label as it is written would be that of none
            elif not named.is_key:
                fix = _fix(row, named.value, span_of(named))
            elif _is_only_key(trimmed(named.value), row):
                fix = _fix(row, named.value, span_of(named))
                fix = fix and replace(fix, is_safe=False)
            message = f"the id {quoted(named.value)} {fault}"
            yield Finding(message, named.location, _hint(fix), row.query_id, fix)


def _is_only_key(chunk_id: str, row: DatasetRow) -> bool:
    """Whether one judgment alone becomes that of this id, and the row does not forbid it."""
    keys = [trimmed(key) for key in row.fields["judgments"]]
    forbidden = row.fields.get("forbidden_ids")
    is_free = not isinstance(forbidden, list) or chunk_id not in forbidden
    return keys.count(chunk_id) == 1 and is_free


def _fault(value: str) -> str | None:
    text = trimmed(value)
    if not text:
        return "is blank"
    if text != value:
        return "has white space around it"
    if has_control(value):
        return "has a control character in it"
    return None


def _fix(row: DatasetRow, value: str, span: Span | None) -> Fix | None:
    return trim(row, span) if span is not None and trimmed(value) not in {"", value} else None


def _hint(fix: Fix | None) -> str:
    return "remove it" if fix else "write the id as the corpus has it"
