"""The dataset is labelled for another corpus version than the manifest's.

Labels made for one version of a corpus may point at chunks that another no longer has, or that now
say something else. Reported once for each version the dataset names; silent when the manifest names
none.

Fails, when the manifest's sidecar says `{"corpus_version": "2026-12"}`:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "dataset_version": "3", "corpus_version": "2026-11"}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "dataset_version": "3", "corpus_version": "2026-12"}
```

To fix: review the labels against the new corpus, then write its version; or lint with the manifest
of the version the labels were made for.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG403", "other-corpus-version", Severity.ERROR
SCOPE = Scope.SUITE
NEEDS_CORPUS = True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each corpus version of the dataset that is not the manifest's."""
    manifest = facts.manifest
    if manifest is None or manifest.corpus_version is None:
        return
    for version, found in facts.versions["corpus_version"].items():
        if version != manifest.corpus_version:
            yield Finding(
                f"corpus_version is {quoted(version)}, "
                f"but {manifest.shown} is {quoted(manifest.corpus_version)}",
                found.location,
                "review the labels against this corpus, then write its version",
            )
