"""A query repeats the wording of the chunk it is to find.

Such a query is found by its words alone, as no query of a user would be: the suite says that
retrieval is good, and measures only that a text resembles itself. It happens when queries are
written, or generated, with the chunk in view.

Reported when at least eight words in a row of the query, and at least half of all its words, stand
in the same order in a chunk that is relevant for it. Case, accents and punctuation do not count. A
letter of Chinese or Japanese counts as half a word, one of Thai, Lao, Khmer or Burmese as a quarter.
What stands in quotes or backticks, and an error message that is pasted (`TypeError: …`), is no
wording of the query's own. The measure is the longest common run of words; its length is that by
which overlap of training and test texts is told from chance (Radford et al., *Language Models are
Unsupervised Multitask Learners*, 2019, section 4: 8-grams), its share keeps out the long names and
set phrases that a user has to repeat, too.

Needs a manifest with texts, which is read once for it.

Fails, when the text of `c1` is "Drafts made by a subscription wait sixty minutes before they open":

```
{"query_id": "q1", "query": "do drafts made by a subscription wait sixty minutes before opening?", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "how long can I look at a renewal before it goes out?", "relevant_ids": ["c1"]}
```

Measured on 8,216 queries of 19 public suites with texts: 117 findings, 9 of them wrong (7 error
messages pasted without a mark, 2 set phrases of contracts). 116 are in suites that a model wrote
from the chunks; among the 341 queries that people wrote (ADI, CISI, MEDLINE, CACM, MS MARCO, ARCD)
there is one finding, a right one.

To fix: ask in the words of someone who has not read the chunk; take queries from logs where there
are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import relevant_ids
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts
from ragguard.lint.wording.place import place_in_query

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest
    from ragguard.lint.wording.overlap import Run

CODE, NAME, SEVERITY = "RG501", "leaked-wording", Severity.WARNING
SCOPE = Scope.SUITE
NEEDS_CORPUS = True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each query once that repeats a relevant chunk, with the chunk it repeats most of."""
    from ragguard.lint.wording.overlap import is_long

    if facts.manifest is None:
        return
    threshold = facts.suite.scoring.policy.relevance_threshold
    asked: dict[str, set[str]] = {}
    for row in facts.rows():
        query = row.fields.get("query")
        if isinstance(query, str) and is_long(query):
            for chunk_id in relevant_ids(row.fields, threshold):
                asked.setdefault(chunk_id, set()).add(query)
    runs = _runs(facts, facts.manifest, asked) if asked else {}
    for row in facts.rows_naming(runs) if runs else ():
        found = _longest(row, runs, threshold)
        if found is not None:
            yield _finding(row, *found)


def _runs(
    facts: SuiteFacts, manifest: Manifest, asked: Mapping[str, set[str]]
) -> dict[str, dict[str, Run]]:
    """By chunk, then by query, what the query repeats; one pass over the manifest."""
    from ragguard.lint.wording.overlap import joined, repeated

    runs: dict[str, dict[str, Run]] = {}
    has_texts = False
    for chunk in manifest.iter_chunks(with_text=True):
        has_texts = has_texts or bool(chunk.text)
        if chunk.chunk_id not in asked or not chunk.text:
            continue
        text = joined(chunk.full_text or "")
        for query in asked[chunk.chunk_id]:
            run = repeated(query, text)
            if run is not None:
                runs.setdefault(chunk.chunk_id, {})[query] = run
    if not has_texts:
        facts.notes.append(f"{manifest.shown} has no texts: {CODE} skipped")
    return runs


def _longest(
    row: DatasetRow, runs: Mapping[str, Mapping[str, Run]], threshold: int
) -> tuple[str, Run] | None:
    query = row.fields.get("query")
    found = [
        (chunk_id, runs[chunk_id][query])
        for chunk_id in relevant_ids(row.fields, threshold)
        if isinstance(query, str) and query in runs.get(chunk_id, ())
    ]
    return max(found, key=lambda pair: pair[1].words, default=None)


def _finding(row: DatasetRow, chunk_id: str, run: Run) -> Finding:
    return Finding(
        f"{run.words} of the {run.of} words of the query stand in a row in {quoted(chunk_id)}, "
        "which it is to find",
        place_in_query(row, run.start),
        "ask as someone would who has not read the chunk",
        row.query_id,
    )
