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
(`lint: {per_file_ignores: {"eval/*.jsonl": [RG103]}}`). `ragguard lint --fix --unsafe-fixes` corrects
it where the row then has nothing else against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ragguard.config.model import Suite
from ragguard.dataset.positions import key_span
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Fix, Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.fixes.literal import rewrite
from ragguard.lint.plain.row import PlainRow, known_names
from ragguard.lint.rule import Scope
from ragguard.lint.slip import known_near

CODE, NAME, SEVERITY = "RG103", "misspelt-field", Severity.ERROR
SCOPE = Scope.ROW
UNSAFELY_FIXABLE = True


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield each unknown name at the top of a row that was meant for a known one."""
    names = known_names(row.mapping)
    meant = {}
    for name in row.value:
        near = next((each for each in known_near(name, names) if each not in row.value), None)
        if near is not None:
            meant[name] = near
    can_rename = bool(meant) and _is_sound_with(meant, row, suite)
    for name, near in meant.items():
        message, hint = f"unknown field {quoted(name)}", f"did you mean {near!r}?"
        fix = _rename(row, name, near) if can_rename else None
        yield Finding(message, row.locate_key(name), hint, row.query_id, fix)


def _is_sound_with(meant: Mapping[str, str], row: DatasetRow, suite: Suite) -> bool:
    """Whether the row has nothing against it once its fields have the names that were meant."""
    renamed = {meant.get(name, name): value for name, value in row.value.items()}
    if len(renamed) < len(row.value):
        return False
    return PlainRow(suite)(renamed, row.mapping.canonical(renamed))


def _rename(row: DatasetRow, name: str, near: str) -> Fix | None:
    span = key_span(row.text, (name,))
    if span is None:
        return None
    fix = replace(rewrite(row, span, near, f"rename it to {near!r}"), is_safe=False)
    is_id = (near,) == row.mapping.path_of("query_id")
    return replace(fix, query_id=str(row.value[name])) if is_id else fix
