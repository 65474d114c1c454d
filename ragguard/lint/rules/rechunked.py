"""Most labels dangle: the corpus was cut anew, or the manifest is that of another corpus.

When at least ten distinct ids are labelled and more than half of them are not in the manifest, no
slip explains it. One finding says so, at the top of the suite's first dataset, and shows ids of both
sides; RG301 and RG302 are silent then, unless this rule is switched off. It also says when the
labels are documents whose chunks the manifest holds, and when all ids that were compared differ in
the same way, by a prefix or by case.

Fails, when the manifest has `intro-0` to `intro-9` and the dataset labels nine more such queries:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["docs/intro.md#1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["intro-1"]}
```

To fix: `ragguard migrate --map MAP` moves the labels to the new ids by a mapping that a person reviews
(`--propose` writes one to start from). When the manifest is not that of the labels, name the right
one (`corpus:`, or `--corpus`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rechunking import is_rechunked
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest
    from ragguard.corpus.nearest import Near

CODE, NAME, SEVERITY = "RG307", "rechunked", Severity.ERROR
SCOPE, NEEDS_CORPUS = Scope.SUITE, True

_EXAMPLES = 3
_COMPARED = 20


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield one finding for the suite when most of its labels dangle."""
    manifest, view = facts.manifest, facts.view
    if manifest is None or view is None or not is_rechunked(facts):
        return
    missing = sorted(view.missing)
    yield Finding(
        f"{len(missing):,} of {len(facts.labels):,} labelled ids are not in {manifest.shown} "
        f"(labels: {_some(missing)}; manifest: {_some(manifest.first_ids(_EXAMPLES))})",
        Location(facts.files[0].shown, 1, 1),
        _hint(manifest, _spread(missing), len(view.parents.keys() & view.missing)),
    )


def _hint(manifest: Manifest, compared: list[str], documents: int) -> str:
    if documents:
        return (
            f"{documents:,} of them are documents whose chunks it holds: label the chunks, "
            "or use a manifest of documents"
        )
    ways = {_way(nears) for nears in manifest.nearest(compared).values()}
    way = ways.pop() if len(ways) == 1 else None
    if way is not None:
        return (
            f"the {len(compared)} that were compared differ from the manifest's ids only by {way}: "
            "write ids one way on both sides"
        )
    return (
        "was the corpus cut anew? `ragguard migrate --help` says how labels move to new ids; "
        "or is this the manifest of another corpus?"
    )


def _way(nears: tuple[Near, ...]) -> str | None:
    """In what an unknown id differs from all that are near to it, when it is of one kind."""
    if not nears:
        return None
    return "number inference" if nears[0].is_number else nears[0].difference


def _spread(ids: list[str]) -> list[str]:
    """Some of many ids, from the first to the last."""
    step = max(1, len(ids) // _COMPARED)
    return ids[::step][:_COMPARED]


def _some(ids: Collection[str]) -> str:
    listed = ", ".join(map(quoted, islice(ids, _EXAMPLES)))
    return f"{listed}, …" if len(ids) >= _EXAMPLES else listed
