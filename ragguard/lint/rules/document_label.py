"""A label names a document where the corpus holds its chunks.

The retriever answers with chunks. A label on the document they were cut from is never found, and
recall is 0 although every chunk of it came back. Told from `parent_id` in the manifest.

Fails, when the manifest has `{"id": "intro#1", "parent_id": "intro"}`:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["intro"]}
```

Passes:

```
{"query_id": "q1", "query": "opening hours", "relevant_ids": ["intro#1"]}
```

To fix: label the chunks that answer the query; any one of several: `"evidence": [["intro#1",
"intro#2"]]`. When documents are what is retrieved, use a manifest of documents. A document that is
itself in the manifest may be labelled.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import named_ids
from ragguard.lint.rechunking import is_rechunked
from ragguard.lint.rule import Scope
from ragguard.lint.suite.facts import SuiteFacts

CODE, NAME, SEVERITY = "RG302", "document-label", Severity.ERROR
SCOPE, NEEDS_CORPUS = Scope.SUITE, True


def check(facts: SuiteFacts) -> Iterator[Finding]:
    """Yield each labelled or forbidden document, wherever it stands."""
    manifest, view = facts.manifest, facts.view
    if manifest is None or view is None or is_rechunked(facts):
        return
    documents = {each: count for each, count in view.parents.items() if each in view.missing}
    for row in facts.rows_naming(documents) if documents else ():
        for named in named_ids(row):
            if isinstance(named.value, str) and named.value in documents:
                count = documents[named.value]
                yield Finding(
                    f"{quoted(named.value)} is a document of {count} "
                    f"{'chunk' if count == 1 else 'chunks'} in {manifest.shown}",
                    named.location,
                    _HINTS[named.field == "forbidden_ids"],
                    row.query_id,
                )


_HINTS = {
    False: "label the chunks that answer the query, or use a manifest of documents",
    True: "forbid its chunks, or use a manifest of documents",
}
