"""A suite names several versions of one kind.

A dataset is of one version, and its labels are for one version of the corpus. Rows of two versions
were put together by mistake, or an update was left half done. Rows, sidecars and all files of a
suite are looked at together; the finding stands at the first place of each further version.

Fails:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "dataset_version": "3", "corpus_version": "2026-11"}
{"query_id": "q2", "query": "parking", "relevant_ids": ["c2"], "dataset_version": "4", "corpus_version": "2026-11"}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "dataset_version": "4", "corpus_version": "2026-11"}
{"query_id": "q2", "query": "parking", "relevant_ids": ["c2"], "dataset_version": "4", "corpus_version": "2026-11"}
```

To fix: write one version everywhere, or once in the sidecar; or make two suites of two datasets.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG402", "several-versions", Severity.ERROR
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each version after the first, at its first place."""
    for name, versions in facts.versions.items():
        first = next(iter(versions), "")
        for version, found in versions.items():
            if version == first:
                continue
            times = "once" if found.count == 1 else f"{found.count} times"
            yield Finding(
                f"{name} is {quoted(version)} ({times}), "
                f"but {quoted(first)} at {versions[first].location}",
                found.location,
                "one version for all rows and sidecars of a suite",
            )
