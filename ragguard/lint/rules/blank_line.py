"""A line is blank.

Every line of JSON Lines is a row. Some readers stop at a blank line, some fail, and line numbers no
longer count rows.

Fails: an empty line, or one of white space, between two rows or after the last. Passes: one row a
line and nothing else.

To fix: `ragguard lint --fix` removes the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Edit, Fix, Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG003", "blank-line", Severity.WARNING
SCOPE = Scope.LINE
FIXABLE = True


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the line when nothing stands on it."""
    if not line.is_blank:
        return
    source = line.read.line
    end = source.offset + len(source.raw) + source.is_terminated
    fix = Fix("remove the blank line", (Edit(source.content_offset, end, b""),))
    yield Finding("blank line", line.at(), "one row a line and nothing else", fix=fix)
