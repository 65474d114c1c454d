"""What fixing changes, as `diff -u` shows it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from ragguard.lint.fixes.changed_file import ChangedFile

CONTEXT = 3
"""Lines that do not change, shown before and after those that do."""


@dataclass(slots=True)
class _Hunk:
    """Lines of a file that change, with their neighbours.

    Attributes:
        before, after: 1-based numbers of its first line in the file as it is and as changed.
        quiet: how many lines at its end do not change.
    """

    before: int
    after: int
    lines: list[tuple[str, bytes]] = field(default_factory=list)
    quiet: int = 0

    def text(self) -> str:
        """The hunk with its head; of neighbours that change all removed lines come first."""
        marks = Counter(mark for mark, _ in self.lines)
        before = _range(self.before, marks[" "] + marks["-"])
        after = _range(self.after, marks[" "] + marks["+"])
        grouped = groupby(self.lines, key=lambda line: line[0] == " ")
        ordered = (sorted(group, key=lambda line: line[0] == "+") for _, group in grouped)
        shown = "".join(_marked(mark, line) for group in ordered for mark, line in group)
        return f"@@ -{before} +{after} @@\n{shown}"


def _range(start: int, count: int) -> str:
    """A range of lines as diff writes it; an empty one begins after the line before it."""
    if count == 1:
        return str(start)
    return f"{start if count else start - 1},{count}"


def _marked(mark: str, line: bytes) -> str:
    text = mark + line.decode("utf-8", "replace")
    return text if text.endswith("\n") else f"{text}\n\\ No newline at end of file\n"


def unified_diff(file: ChangedFile) -> str:
    """The changes of a file; bytes that are no UTF-8 are replaced. Empty when there are none.

    Raises:
        InputError: the file cannot be read any more, or is no longer the one that was linted.
    """
    hunks = "".join(hunk.text() for hunk in _hunks(file))
    name = file.source.shown
    return f"--- {name}\n+++ {name}\n{hunks}" if hunks else ""


def _hunks(file: ChangedFile) -> Iterator[_Hunk]:
    recent: deque[bytes] = deque(maxlen=CONTEXT)
    hunk: _Hunk | None = None
    number, shift = 0, 0
    for line, after in file.lines():
        number += 1
        if after == line:
            if hunk is None:
                recent.append(line)
                continue
            hunk.lines.append((" ", line))
            hunk.quiet += 1
            if hunk.quiet > 2 * CONTEXT:
                recent = _end(hunk)
                yield hunk
                hunk = None
            continue
        if hunk is None:
            first = number - len(recent)
            hunk = _Hunk(first, first + shift, [(" ", each) for each in recent])
        hunk.lines += [("-", line), *([("+", after)] if after else [])]
        hunk.quiet = 0
        shift -= not after
    if hunk is not None:
        _end(hunk)
        yield hunk


def _end(hunk: _Hunk) -> deque[bytes]:
    """Leave three of the lines at the end of a hunk that do not change; return the last three."""
    quiet = hunk.lines[len(hunk.lines) - hunk.quiet :]
    last = deque((line for _, line in quiet), maxlen=CONTEXT)
    surplus = hunk.quiet - CONTEXT
    if surplus > 0:
        del hunk.lines[-surplus:]
    return last
