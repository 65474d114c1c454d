"""A part of a comment that can lose rows, and the fitting of all parts into one comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

from ragguard.render.wording import plural

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Rows under a title; all text is Markdown already.

    Attributes:
        title: heading, or summary of a folded section; empty for none.
        rows: cells of a table, or the single cell of a list item; the most important first.
        columns: headings of the table; empty for a list.
        right: columns that are aligned to the right.
        folded: whether a reader opens it first.
        noun: what one row is, for saying how many are hidden.
        after: Markdown below the rows, never dropped.
    """

    title: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    folded: bool = False
    noun: str = "query"
    after: str = ""

    def markdown(self, shown: int) -> str:
        """The section with its first `shown` rows; the number of the others is said."""
        rows = self.rows[:shown]
        hidden = len(self.rows) - len(rows)
        parts = [
            _table(self, rows) if self.columns else self._list(rows),
            f"… and {plural(hidden, f'more {self.noun}')}, not shown here" if hidden else "",
            self.after,
        ]
        body = "\n\n".join(part for part in parts if part)
        if self.folded:
            return f"<details><summary>{self.title}</summary>\n\n{body}\n\n</details>"
        return f"### {self.title}\n\n{body}" if self.title else body

    def _list(self, rows: Sequence[Row]) -> str:
        """A list; a single line without a title needs no bullet."""
        bullet = "- " if self.title or len(self.rows) > 1 else ""
        return "\n".join(f"{bullet}{row[0]}" for row in rows)


def _table(section: Section, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    from tabulate import tabulate

    table = tabulate(
        rows,
        headers=section.columns,
        tablefmt="pipe",
        disable_numparse=True,
        colalign=["right" if name in section.right else "left" for name in section.columns],
    )
    # The padding is for people who read the source; in a comment it only costs characters.
    return "\n".join(_narrow(line) for line in table.splitlines())


def _narrow(line: str) -> str:
    if set(line) <= set("|:-"):
        cells = line.strip("|").split("|")
        return "|" + "|".join("--:" if cell.endswith(":") else ":--" for cell in cells) + "|"
    return " ".join(line.split())


def fit(head: str, sections: Sequence[Section], foot: str, *, limit: int, max_rows: int) -> str:
    """One comment of at most `limit` UTF-16 code units.

    Whole rows are dropped, the last of the least important section first.

    Args:
        head: what always stands first.
        sections: the most important first.
        foot: what always stands last.
        limit: the longest comment.
        max_rows: the most rows a section shows.
    """
    shown = [_first_guess(section, limit, max_rows) for section in sections]
    while True:
        bodies = [section.markdown(n) for section, n in zip(sections, shown, strict=True)]
        text = "\n\n".join(part for part in [head, *bodies, foot] if part) + "\n"
        if length(text) <= limit:
            return text
        if not any(shown):
            return _cut(head, limit)
        least = max(index for index, n in enumerate(shown) if n)
        shown[least] //= 2


def _first_guess(section: Section, limit: int, max_rows: int) -> int:
    """How many rows could fit if there were nothing else."""
    lengths = accumulate(sum(map(len, row)) + 4 for row in section.rows[:max_rows])
    return sum(1 for _ in takewhile(lambda total: total <= limit, lengths))


def length(text: str) -> int:
    """UTF-16 code units, the largest of the counts a service might mean by characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(head: str, limit: int) -> str:
    """The first line alone; its own length is bounded."""
    return head.split("\n", maxsplit=1)[0][: limit - 1] + "\n"
