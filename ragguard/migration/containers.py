"""Lists and objects of a JSON text with some of their entries replaced, the rest as written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ragguard.dataset.positions import Span


def with_entries(
    text: str,
    whole: Span,
    entries: Sequence[Span],
    replaced: Mapping[int, Sequence[str]],
    comma: str,
) -> str:
    """The text of a list or object in which some entries are others, more or none.

    Args:
        text: the JSON text.
        whole: the list or object in it, its brackets included.
        entries: its items, or its members from key to value.
        replaced: by index of an entry the JSON that takes its place.
        comma: what stands between entries where there was one alone.
    """
    opening, closing = text[whole.start], text[whole.end - 1]
    if not entries:
        return text[whole.start : whole.end]
    between = [text[one.end : other.start] for one, other in pairwise(entries)]
    parts: list[str] = []
    for index, span in enumerate(entries):
        for inner, written in enumerate(replaced.get(index, (text[span.start : span.end],))):
            before = between[index - 1] if index and not inner else (between or [comma])[0]
            parts.append(before + written if parts else written)
    if not parts:
        return opening + closing
    head, tail = text[whole.start + 1 : entries[0].start], text[entries[-1].end : whole.end - 1]
    return f"{opening}{head}{''.join(parts)}{tail}{closing}"
