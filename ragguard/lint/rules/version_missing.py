"""A version field is missing.

`dataset_version` says which labels were used, `corpus_version` which corpus they were made for. Two
reports can be told apart, and labels matched with their corpus, only when both are there: in every
row, or once in the sidecar (`docs.jsonl` has `docs.meta.json`). Reported per row where other rows
have the field, else once for the file.

Fails, without a sidecar:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "dataset_version": "3", "corpus_version": "2026-11"}
```

To fix: write a sidecar, `{"dataset_version": "3", "corpus_version": "2026-11"}`, or add the field to
the rows that lack it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.versions import VERSIONS
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.lint.suite.file import SuiteFile
from ragguard.location import Location

CODE, NAME, SEVERITY = "RG401", "version-missing", Severity.ERROR
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield the version fields that are missing, file by file."""
    for file in facts.files:
        nowhere = [name for name in VERSIONS if file.lacking[name] and not file.naming[name]]
        if nowhere:
            yield _in_file(file, nowhere)
        for name in VERSIONS:
            if file.naming[name]:
                yield from _in_rows(file, name)


def _in_file(file: SuiteFile, names: list[str]) -> Finding:
    sidecar = ", ".join(f'"{name}": "…"' for name in names)
    return Finding(
        f"no row has {' or '.join(names)}, and no sidecar names it",
        Location(file.shown, 1, 1),
        f"write {file.sidecar_file}: {{{sidecar}}}",
    )


def _in_rows(file: SuiteFile, name: str) -> Iterator[Finding]:
    for number in file.lacking[name]:
        message = f"{name} is missing; other rows have it"
        yield Finding(message, Location(file.shown, number, 1), f"add {name}")
