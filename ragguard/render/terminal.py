"""Plain text for a terminal: styles when the caller asks for them, tables, foreign text cleaned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Style:
    """Puts ANSI styles around text, or leaves it alone."""

    colour: bool = False

    def __call__(self, text: str, *names: str) -> str:
        """The text in these styles: `bold`, `dim`, or a colour."""
        if not self.colour or not text:
            return text
        codes = ";".join(_CODES[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m"


def table(
    rows: Sequence[Sequence[str]], headers: Sequence[str], right: Sequence[str] = ()
) -> list[str]:
    """The lines of a table indented by two; texts are shown as they are, never as numbers."""
    from tabulate import tabulate

    text = tabulate(
        rows,
        headers=headers,
        tablefmt="simple",
        disable_numparse=True,
        colalign=["right" if name in right else "left" for name in headers],
    )
    return [f"  {line.rstrip()}" for line in text.splitlines()]
