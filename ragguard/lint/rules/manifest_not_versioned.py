"""The manifest lists other chunks than on the base branch, under the same `corpus_version`.

Labels and results that name this version can then not be told from those made for the old corpus.
Ids, texts (by hash), status, dates and access count; the order of chunks and the form of the file
do not. Runs with `--base REF` only, and compares with the commit where the branch left REF; silent
for a manifest that names no version.

Fails, when on the base branch the manifest lacks `c2`, and its sidecar always says
`{"corpus_version": "2026-11"}`:

```
{"id": "c1"}
{"id": "c2"}
```

Passes, when the sidecar now says `{"corpus_version": "2026-12"}`:

```
{"id": "c1"}
{"id": "c2"}
```

To fix: write the next corpus version beside the manifest, review the labels, and write it beside
the dataset.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragguard.dataset.sidecar import read_sidecar, sidecar_location
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest

CODE, NAME, SEVERITY = "RG406", "manifest-not-versioned", Severity.ERROR
SCOPE, NEEDS_BASE = Scope.SUITE, True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield the version of a manifest that says something else than it did."""
    change = facts.base.corpus if facts.base else None
    if facts.base is None or change is None:
        return
    counts = f"{change.before} chunks then, {change.after} now"
    yield Finding(
        f"corpus_version is still {quoted(change.version)}, "
        f"but since {facts.base.ref} {change.manifest.shown} lists other chunks ({counts})",
        _location(change.manifest),
        "write the next corpus version; then review the labels",
    )


def _location(manifest: Manifest) -> Location:
    """Where the version stands: in the sidecar, else in the manifest itself."""
    if "corpus_version" in read_sidecar(manifest.path, manifest.shown):
        return sidecar_location(manifest.path, "corpus_version")
    return Location(manifest.shown, 1, 1)
