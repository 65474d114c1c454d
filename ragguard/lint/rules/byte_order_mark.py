"""The file begins with a byte-order mark.

UTF-8 needs none. Many readers take it for a part of the first line, fail on it, and drop the first
row without a word.

Fails: the bytes `EF BB BF` before the first `{`. Passes: the first byte is `{`.

To fix: `ragguard lint --fix` removes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.lines import BOM
from ragguard.lint.diagnostic import Edit, Fix, Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG002", "byte-order-mark", Severity.ERROR
SCOPE = Scope.LINE
FIXABLE = True


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the mark at the start of the first line."""
    if line.number == 1 and line.read.line.raw.startswith(BOM):
        fix = Fix("remove the byte-order mark", (Edit(0, len(BOM), b""),))
        hint = "save it as UTF-8 without a byte-order mark"
        yield Finding("the file begins with a byte-order mark", line.at(), hint, fix=fix)
