"""Synthetic queries are not marked as such, or not mixed with others.

A model writes queries from the chunk, in its words and its order; retrieval is easier for them than
for what people ask. Means over both hide that, unless `origin` tells them apart, and a suite of
synthetic queries alone has nothing to be compared with.

Reported are, at most one of them for a suite: rows without `origin` where others have it; a suite
all of whose origins are `synthetic` (or begin with it: `synthetic-2026`); and, where no row has an
origin, queries that read as if a model had written them with the text before it, when there are at
least three and 2 % of all: "according to the document", "in the given context" and the like in
eight languages, and numbers that were left in front ("3. What …").

Fails, when other rows have an origin:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "origin": "production"}
{"query_id": "q2", "query": "when does the shop open on Sundays?", "relevant_ids": ["c1"], "origin": "synthetic"}
```

Measured on 30 public suites with 17,593 queries, none of which has an origin: 2 are reported, both
rightly (104 of 790 queries of finetune-embedding, 3 of 100 of the Anthropic documentation). Of the
109 queries with a mark, one was written by a person (MS MARCO). Suites that a model wrote without
leaving a mark are not found.

To fix: write `"origin"` into every row (`human`, `production`, `synthetic`), and add queries that
people have asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG508", "unmarked-synthetic", Severity.WARNING
SCOPE = Scope.SUITE

FEWEST_GENERATED, SMALLEST_SHARE = 3, 0.02


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield at most one finding: origins that are missing, all synthetic, or not given at all."""
    counted = facts.tally
    without, generated = counted.without_origin, counted.generated
    if counted.origins and without is not None:
        verb = "has" if without.queries == 1 else "have"
        yield Finding(
            f"{without.queries} of {counted.queries} queries {verb} no origin; others have one",
            without.first,
            'say where each comes from: "human", "production" or "synthetic"',
        )
    elif counted.origins and all(map(_is_synthetic, counted.origins)):
        yield Finding(
            f"all queries of the suite, {counted.queries} in all, are synthetic",
            next(iter(counted.origins.values())).first,
            "add queries that people have asked, so that there is something to compare with",
        )
    elif generated is not None and _is_notable(generated.queries, counted.queries):
        yield Finding(
            f"{generated.queries} of {counted.queries} queries read as if a model had written "
            "them, and no row has an origin",
            generated.first,
            'mark them with "origin": "synthetic"',
        )


def _is_synthetic(origin: str) -> bool:
    return origin.strip().lower().startswith("synthetic")


def _is_notable(generated: int, queries: int) -> bool:
    return generated >= FEWEST_GENERATED and generated >= queries * SMALLEST_SHARE
