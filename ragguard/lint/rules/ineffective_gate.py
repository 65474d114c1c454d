"""A gate can never fail, or can never pass.

The first kind guards nothing and looks as if it did; the second stops every change. Looked at are:
limits that no mean can break (`min: 0`, `max_drop: 1`, more allowed failures than queries); cutoffs
beyond `depth`, at which no comparison has a verdict; floors that the ideal ranking does not reach
with these labels, and gates on a metric or slice for which too few queries have a value (for up to
20,000 queries, once no row is faulty); critical queries with more evidence groups than their cutoff
has ranks; `max_rank` on an unanswerable query. A warning: `max_rank` beyond `depth`, and a critical
gate that is written down while no query is critical.

Fails, in ragguard.yml and in a row, when the critical gate looks at 5 ranks:

```
gates:
  evidence@5: {min: 0}
```

```
{"query_id": "q1", "query": "all holidays", "critical": true, "relevant_ids": ["c1", "c2", "c3", "c4", "c5", "c6"]}
```

Passes:

```
gates:
  evidence@5: {min: 0.8}
```

```
{"query_id": "q1", "query": "all holidays", "critical": true, "relevant_ids": ["c1", "c2", "c3", "c4", "c5"]}
```

To fix: write a limit between what was measured and what can be reached; raise a cutoff, or lower it
to what is kept. Chunks that answer a query equally well are one group of `evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.gates import Gates
from ragguard.config.model import Suite
from ragguard.dataset.query import Query
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG903", "ineffective-gate", Severity.ERROR
SCOPE = Scope.SUITE


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield gates of queries at their rows, then gates of the suite in its configuration."""
    yield from _of_queries(facts)
    scoring = facts.suite.scoring
    # What follows takes time to load, and most small suites are gated by the defaults alone.
    if scoring.gates != Gates() or scoring.primary_rank > scoring.depth or _names_critical(facts):
        yield from _in_configuration(facts)


def _of_queries(facts: SuiteFacts) -> Iterator[Finding]:
    if not any(file.gated for file in facts.files):
        return
    from ragguard.lint.gates.problems import sound_query
    from ragguard.lint.plain.row import PlainRow

    is_plain = PlainRow(facts.suite)
    for row in facts.gated_rows():
        query = sound_query(row, is_plain, facts.suite)
        if query is not None:
            yield from _in_row(row, query, facts.suite)


def _in_configuration(facts: SuiteFacts) -> Iterator[Finding]:
    from ragguard.lint.gates.problems import problems_of
    from ragguard.lint.gates.written import WrittenGates

    problems = list(problems_of(facts))
    judges_nobody = facts.row_count > 0 and not facts.has_critical and _names_critical(facts)
    if not (problems or judges_nobody):
        return
    written = WrittenGates.read(facts.config, facts.suite.name)
    if written is None:
        return
    for problem in problems:
        yield Finding(problem.message, written.locate(*problem.path), problem.hint)
    if judges_nobody and written.has("critical"):
        yield Finding(
            "no query is critical: the gate has nothing to judge",
            written.locate("gates", "critical"),
            'write "critical": true in the rows that must not be lost',
            severity=Severity.WARNING,
        )


def _names_critical(facts: SuiteFacts) -> bool:
    """A quick look, for reading YAML takes time and most suites have no need."""
    path = facts.config.path
    return path is not None and b"critical" in path.read_bytes()


def _in_row(row: DatasetRow, query: Query, suite: Suite) -> Iterator[Finding]:
    from ragguard.lint.gates.attainable import satisfiable

    scoring = suite.scoring
    gate = scoring.gates.critical
    cutoff = scoring.critical_rank
    groups = query.labels.groups(scoring.policy.relevance_threshold) if query.answerable else ()
    if query.critical and gate.require == "all" and satisfiable(groups, cutoff) < len(groups):
        yield Finding(
            f"critical, but its {len(groups)} evidence groups cannot all stand within rank {cutoff}",
            row.locate("critical"),
            "raise gates.critical.at, or label alternatives as one group",
            row.query_id,
        )
    if query.max_rank is None:
        return
    if not query.answerable:
        yield Finding(
            "max_rank on an unanswerable query can never fail",
            row.locate("max_rank"),
            "remove it",
            row.query_id,
        )
    elif query.max_rank > scoring.depth:
        yield Finding(
            f"max_rank {query.max_rank} lies beyond depth {scoring.depth}: no rank there is known",
            row.locate("max_rank"),
            f"write {scoring.depth} or less, or raise depth",
            row.query_id,
            severity=Severity.WARNING,
        )
