"""A labelled chunk stands twice in the manifest.

Which of the two is meant? Their texts, statuses and dates may differ, and an index keeps one of
them, or both under one id. Only ids that the dataset names are told here.

Fails, when the manifest has two lines `{"id": "c1"}`:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes, when it has one:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

To fix: remove one of the lines from the manifest, or give the chunks ids of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.location import Location

CODE, NAME, SEVERITY = "RG306", "twice-in-manifest", Severity.ERROR
SCOPE, NEEDS_CORPUS = Scope.SUITE, True

_MOST_LINES = 5


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each such chunk once, at its second line in the manifest."""
    if facts.manifest is None or facts.view is None:
        return
    shown = facts.manifest.shown
    for chunk_id, (first, *others) in facts.view.duplicates.items():
        yield Finding(
            f"the labelled chunk {quoted(chunk_id)} stands {_times(len(others) + 1)} "
            f"in the manifest, first on line {first}{_further(others[1:])}",
            Location(shown, others[0], 1),
            "remove one of the lines, or give the chunks ids of their own",
        )


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _further(lines: list[int]) -> str:
    if not lines:
        return ""
    listed = ", ".join(map(str, lines[:_MOST_LINES]))
    return f"; here, and on {listed}{', …' if len(lines) > _MOST_LINES else ''}"
