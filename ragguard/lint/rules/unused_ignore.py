"""An entry of ragguard-ignores.yml covers a finding that is not there.

The finding was mended, or its file, query or rule is gone. An entry that stays would hide the same
fault when somebody makes it again. The entry is judged only when everything that it could cover was
linted: all suites that have its file, with its rule among those that run.

Fails, when the label of q7 was mended:

```yaml
- code: RG301
  file: eval/docs.jsonl
  query_id: "q7"
  count: 1
  reason: "the page comes back with the next release"
```

Passes: a list without the entry, or with a `count` that is no more than what is found.

To fix: remove the entry or lower its count; `ragguard lint --add-ignores` does that for all of them,
and keeps the others with their reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding, quoted
from ragguard.lint.ignores.unneeded import UnneededEntry
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG904", "unused-ignore", Severity.WARNING
SCOPE = Scope.CONFIGURATION
_WAY_OUT = "`ragguard lint --add-ignores` writes the list anew and keeps its reasons"


def check(unneeded: Iterable[UnneededEntry]) -> Iterator[Finding]:
    """Yield each entry that covers more than there is."""
    for entry in unneeded:
        yield Finding(_message(entry), entry.location, _WAY_OUT, entry.query_id)


def _message(entry: UnneededEntry) -> str:
    of_query = "" if entry.query_id is None else f" for query {quoted(entry.query_id)}"
    if not entry.is_file:
        return f"there is no file {quoted(entry.file)} that {entry.code} could be ignored in"
    what = f"{entry.code}{of_query} in {entry.file}"
    if not entry.found:
        return f"nothing to ignore: {what} is not found any more"
    return f"more ignored than there is: {what} is found {entry.found} of {entry.count} times"
