"""Rows changed since the base branch, and `dataset_version` did not.

Two results of one version are taken for results on the same labels. A row counts as changed when
anything in it does but its versions, `review_by` and `label_hashes`; neither the order of rows nor
the way they are written counts. Runs with `--base REF` only, and compares with the commit where the
branch left REF; silent for a dataset that names no version.

Fails, when on the base branch the row says `"relevant_ids": ["c1"]`:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c2"], "dataset_version": "3", "corpus_version": "2026-11"}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c2"], "dataset_version": "4", "corpus_version": "2026-11"}
```

To fix: write the next version, in the sidecar or in every row.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG404", "version-not-raised", Severity.WARNING
SCOPE, NEEDS_BASE = Scope.SUITE, True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield the version of the suite when its rows are not what they were."""
    versions = facts.versions["dataset_version"]
    if facts.base is None or not versions or not facts.base.versions.issuperset(versions):
        return
    changes = str(facts.changes or "")
    if changes:
        version, found = next(iter(versions.items()))
        yield Finding(
            f"dataset_version is still {quoted(version)}, "
            f"but since {facts.base.ref} the rows are others: {changes}",
            found.location,
            "write the next version",
        )
