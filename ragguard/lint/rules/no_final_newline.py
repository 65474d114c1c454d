"""The last line has no newline at its end.

Whoever appends a row, or joins two files, then writes it onto the last one, and both are lost. It is
also what a file looks like whose writing was interrupted.

Fails: the file ends in `}`. Passes: the file ends in `}` and a newline.

To fix: `ragguard lint --fix` adds it, in the way the other lines end.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Edit, Fix, Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG004", "no-final-newline", Severity.WARNING
SCOPE = Scope.LINE
FIXABLE = True


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the end of a last line that lacks its newline."""
    source = line.read.line
    if source.is_terminated or line.is_blank:
        return
    end = source.offset + len(source.raw)
    fix = Fix("add a newline at the end", (Edit(end, end, line.line_end),))
    place = line.at(len(line.read.text))
    yield Finding("no newline at the end of the file", place, "end the last row with one", fix=fix)
