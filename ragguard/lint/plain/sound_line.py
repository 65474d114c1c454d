"""Whether a line can be evaluated without asking any rule: for datasets that are in order."""

from __future__ import annotations

from collections.abc import Callable

from ragguard.config.model import Suite
from ragguard.dataset.lines import BOM
from ragguard.dataset.loading import ReadLine
from ragguard.lint.plain.row import PlainRow


def sound_line(suite: Suite) -> Callable[[ReadLine], bool]:
    """A look at the lines of a suite, in order, that no blocking rule could find anything in.

    It may doubt a sound line, and then the rules decide; it never passes a faulty one.
    """
    is_plain = PlainRow(suite)
    seen: set[str] = set()

    def is_sound(read: ReadLine) -> bool:
        if read.faults or (read.line.number == 1 and read.line.raw.startswith(BOM)):
            return False
        if read.row is None:
            return not read.text
        fields = read.row.fields
        if not is_plain(read.row.value, fields) or fields["query_id"] in seen:
            return False
        seen.add(fields["query_id"])
        return True

    return is_sound
