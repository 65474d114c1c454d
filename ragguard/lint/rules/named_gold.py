"""A query names its own gold id, or the file that its chunk comes from.

Whoever searches does not know the ids of an index. A query that carries one is found by it alone
wherever ids are indexed with the text, and the number it adds to says nothing.

Reported when an id that is relevant for the query stands in it as a whole, case aside: the whole
id, the name of its file (`docs/setup/install.md`), its section (`guide.html#step_02`) or its file
without the number of the chunk (`guide.pdf-12`). Only what no one would write by chance counts: an
underscore (`DOC_REG_001`), `::` or `#` inside, a path, a file extension, a hexadecimal id
(`c02e79ef`), a number of six digits or more, zeros in front (`doc-001`), a letter part with two
numbers (`section-4-2`), five or more words joined by hyphens. An id that is a word (`invoices`), a
name (`The Seed Vault`), a compound (`chain-of-thought`), a product (`covid-19`, `gpt-4`) or a short
number is what people ask with.

Fails:

```
{"query_id": "q1", "query": "what does DOC_REG_001 say about opening an account?", "relevant_ids": ["DOC_REG_001"]}
```

Passes:

```
{"query_id": "q1", "query": "where are my invoices?", "relevant_ids": ["invoices"]}
```

Measured on 17,593 queries of 30 public suites: 9 findings, 2 of them wrong (a code search that is
asked for a path on purpose). 52 queries in which a word, a title or a number is an id too, or a
part of one, are let pass.

To fix: ask for what the chunk says. Where users do search by such a name (a path in a code search,
the number of a part), ignore RG502 for the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.labels import relevant_ids
from ragguard.lint.rule import Scope
from ragguard.lint.wording.place import place_in_query

CODE, NAME, SEVERITY = "RG502", "named-gold", Severity.WARNING
SCOPE = Scope.ROW
LOOKS_AT_EVERY_ROW = True

_SHORTEST, _LONGEST = 5, 100
_FEWEST_DIGITS = 6
_EXTENSIONS = (
    "adoc|c|cfg|conf|cpp|cs|css|csv|docx?|epub|go|h|html?|ini|ipynb|java|jpe?g|jsonl?|kt|log|md|"
    "mdx|odt|pdf|php|png|pptx?|py|rb|rs|rst|rtf|scala|sh|sql|swift|tex|toml|tsv|tsx?|txt|xlsx?|"
    "xml|ya?ml"
)
_FILE = rf"(?i:[^\s/\\]+\.(?:{_EXTENSIONS}))"
_MADE = (
    rf"{_FILE}"  # a file
    r"|\S*\w(?:_|::|#)\w\S*"  # a joint that prose does not have
    r"|\w*[./\\-]*(?:\S*[/\\]){2}\S*|\S*[\d.-]\S*[/\\]\S*|\S*[/\\]\S*[\d.-]\S*"  # a path
    rf"|\d{{{_FEWEST_DIGITS},}}"  # a long number
    rf"|\S*[^\W\d]\S*?(?<=\D)0\d{{2,}}\S*|\S*[^\W\d]\S*\d{{{_FEWEST_DIGITS},}}\S*"  # zeros, a number
    r"|[^\W\d]{2,}[-:]\d+[-:]\d+"  # a section
    r"|[^\W\d_]+(?:-[^\W\d_]+){4,}"  # a heading
)
_HEXADECIMAL = r"[0-9a-f]+(?:-[0-9a-f]+)*"
_FEWEST_CHANGES = 3
_CHANGE = r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)"


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield the first of a row's relevant ids that its query names."""
    query = row.fields.get("query")
    if not isinstance(query, str):
        return
    lowered = query.lower()
    for chunk_id in relevant_ids(row.fields, suite.scoring.policy.relevance_threshold):
        for part in _parts(chunk_id):
            if part.lower() in lowered and is_made(part):
                index = _index(part, query)
                if index is not None:
                    yield _finding(row, chunk_id, part, index)
                    return


def _parts(chunk_id: str) -> Iterator[str]:
    """The id, the name of its file and its section."""
    yield chunk_id
    before, _, section = chunk_id.partition("#")
    file = re.split(r"[/\\]", re.split(r"::|[?]", before)[0])[-1]
    if file != chunk_id:
        yield file
    numbered = re.fullmatch(rf"({_FILE})[-_:@|]\w+", file)
    if numbered:
        yield numbered.group(1)
    if section:
        yield section


def is_made(part: str) -> bool:
    """Whether it reads as made for a machine, so that it stands in no query by chance."""
    if len(part) < _SHORTEST:
        return False
    if len(part) > _LONGEST:
        return re.search(r"\s", part) is None
    lowered = part.lower()
    changes = len(re.findall(_CHANGE, lowered))
    if changes >= _FEWEST_CHANGES and re.fullmatch(_HEXADECIMAL, lowered):
        return True
    return re.fullmatch(_MADE, part) is not None


def _index(part: str, query: str) -> int | None:
    """Where it stands in the query as a whole; None when it is only a part of something longer."""
    whole = rf"(?<![A-Za-z0-9_])(?<!\w[-.]){re.escape(part)}(?![A-Za-z0-9_])(?![-.]\w)"
    found = re.search(whole, query, re.IGNORECASE)
    return found.start() if found else None


def _finding(row: DatasetRow, chunk_id: str, part: str, index: int) -> Finding:
    named = "its own gold id" if part == chunk_id else f"{quoted(part)}, a part of its own gold id"
    return Finding(
        f"the query names {named} {quoted(chunk_id)}",
        place_in_query(row, index),
        "ask for what the chunk says: who searches does not know its id",
        row.query_id,
    )
