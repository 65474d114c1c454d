"""The text of a chunk changed since its label was reviewed.

`label_hashes` remembers, by id, the SHA-256 that the text of a labelled chunk had when a person
looked at it. The manifest knows today's: from its `sha256`, or from its `text`. Another text may
answer the query no longer. A hash of an id that the row does not label is left over from a label
that was replaced; and a warning tells when the manifest has neither hash nor text to compare with.

Fails, when the manifest says `{"id": "c1", "text": "Closed on Sundays."}`:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "label_hashes": {"c1": "bf451d4847896eecf0303b2715cc9f64eed9a760e16c08a0fcaf381f19117b77"}}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "label_hashes": {"c1": "267be10cbe652c560c07a91819a8871ee9b93ec32cdc1e29cf66900b8dc39182"}}
```

To fix: read the chunk. If it still answers the query, record its hash anew: `ragguard lint --fix
--reviewed QUERY_ID` does so for all labels of a query. Else label another. A hash that is left over
is removed by `ragguard lint --fix --unsafe-fixes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.field_types import FIELD_TYPES
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.fixes.literal import has_control, remove_member
from ragguard.lint.labels import ids_of
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.corpus.view import ManifestView

CODE, NAME, SEVERITY = "RG304", "changed-chunk", Severity.ERROR
SCOPE, NEEDS_CORPUS = Scope.SUITE, True
UNSAFELY_FIXABLE = True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each hash that is not that of the chunk, and those that cannot be compared, once."""
    view, manifest = facts.view, facts.manifest
    if view is None or manifest is None or not facts.hashes:
        return
    for row in facts.rows():
        if row.fields.get("label_hashes"):
            yield from _in_row(row, view)
    known = facts.labels - view.missing
    unknown = [each for each in facts.hashes if each in known and each not in view.digests]
    if unknown:
        yield Finding(
            f"{manifest.shown} has neither sha256 nor text of {_chunks(unknown)}: "
            "what label_hashes says of them is not checked",
            Location(manifest.shown, 1, 1),
            "add sha256 to the chunks of the manifest",
            severity=Severity.WARNING,
        )


def _in_row(row: DatasetRow, view: ManifestView) -> Iterator[Finding]:
    hashes: Any = row.fields["label_hashes"]
    type_ = FIELD_TYPES["label_hashes"]
    if not isinstance(hashes, dict):
        return  # RG102
    labelled = frozenset(ids_of(row.fields))
    for chunk_id, digest in hashes.items():
        if any(type_.misfits({chunk_id: digest})):
            continue  # RG102
        fix = None
        if chunk_id not in labelled and not row.fields.get("spans"):
            path = (*row.source_path(("label_hashes",)), chunk_id)
            fix = remove_member(row, path, "remove the hash")
            message = f"label_hashes has {quoted(chunk_id)}, which the row does not label"
            hint = "remove it, or label the chunk"
        elif view.digests.get(chunk_id, digest) != digest:
            message = f"the text of {quoted(chunk_id)} changed since its label was reviewed"
            hint = f"does it still answer the query? {_record(row)}"
        else:
            continue
        fix = fix and replace(fix, is_safe=False)
        yield Finding(message, row.locate("label_hashes", chunk_id), hint, row.query_id, fix)


def _record(row: DatasetRow) -> str:
    query_id = row.query_id
    if query_id is None or has_control(query_id):
        return "then record its hash anew"
    return f"then: ragguard lint --fix --reviewed {quote(query_id)}"


def _chunks(ids: list[str]) -> str:
    return quoted(ids[0]) if len(ids) == 1 else f"{len(ids)} labelled chunks"
