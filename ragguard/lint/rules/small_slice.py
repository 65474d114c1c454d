"""A slice has too few queries to be gated.

A gate leaves out the values of its slice that have fewer than `min_count` scored queries, and the
comment shows their means all the same: what happens to such a slice, nobody is told. Where a slice
is shown but not gated, the same number is asked for that a gate asks for by default, ten: with fewer
queries a single one moves the mean of a measure by more than 0.1, which is more than any tolerance
that is worth having.

Counted are the queries that the corpus can answer, since the others have no evidence to score.
Values that only they have, and rows without the field, are let pass. One finding a slice, at the
first row of a value that is too small.

Fails, with `slices: [category]`, when it is the only one of its category:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "category": "shops"}
```

Passes, when nine others have its category:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"], "category": "shops"}
```

Measured on 30 public suites, of which 3 have a field to slice by: one finding, a right one (8
queries in 4 categories).

To fix: add queries, join values that are too fine, take the slice out of `slices`, or lower
`min_count` where the gate is worth having with fewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ragguard.config.gates import SliceGate
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

if TYPE_CHECKING:
    from ragguard.lint.suite.tally import Count

CODE, NAME, SEVERITY = "RG503", "small-slice", Severity.WARNING
SCOPE = Scope.SUITE

DEFAULT_COUNT = SliceGate().min_count
_MOST_NAMED = 5


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each slice field that has values with too few queries."""
    gates = facts.suite.scoring.gates.slices
    for path, counts in facts.tally.slices.items():
        needed = max((gate.min_count for gate in gates.get(path, {}).values()), default=0)
        small = {
            value: count
            for value, count in counts.items()
            if count.queries < (needed or DEFAULT_COUNT)
        }
        if small:
            yield _finding(path, small, len(counts), needed)


def _finding(path: str, small: Mapping[str, Count], of: int, needed: int) -> Finding:
    by_count = sorted(small, key=lambda value: (small[value].queries, value))
    named = [f"{quoted(value)} ({small[value].queries})" for value in by_count[:_MOST_NAMED]]
    more = f" and {len(small) - _MOST_NAMED} more" if len(small) > _MOST_NAMED else ""
    need = f"the {needed} that its gate needs" if needed else f"{DEFAULT_COUNT}, too few to gate"
    return Finding(
        f"{len(small)} of {of} values of {path} have fewer answerable queries than {need}: "
        f"{', '.join(named)}{more}",
        next(iter(small.values())).first,
        "add queries, or join values that are too fine"
        + ("; or lower `min_count`" if needed else "; or take it out of `slices`"),
    )
