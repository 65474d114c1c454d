"""A JSON file as one value, decoded as strictly as a row, with the place of everything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.decoding import decode
from ragguard.dataset.fault import FaultKind
from ragguard.dataset.imports.source_table import ABSENT
from ragguard.dataset.positions import key_span, value_span
from ragguard.dataset.whole import place
from ragguard.errors import InputError
from ragguard.location import Location

_HEAD, _TAIL, _KEY = '{"": ', "}", ""
"""Around the text, because the decoder takes objects only."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A decoded file.

    Attributes:
        value: what it holds.
        start: the path to the part that is looked at.
    """

    shown: str
    text: str
    value: Any
    start: tuple[str | int, ...] = ()

    def locate(self, *path: str | int) -> Location:
        """Line and column of a value, or of the key that leads to it, below the part looked at."""
        steps: Sequence[str | int] = (_KEY, *self.start, *path)
        wrapped = _HEAD + self.text + _TAIL
        is_member = isinstance(steps[-1], str) and len(steps) > 1
        span = key_span(wrapped, steps) if is_member else value_span(wrapped, steps)
        return _place(wrapped, span.start if span else len(_HEAD), self.shown)

    def within(self, path: str) -> JsonFile:
        """The part at a dotted path.

        Raises:
            InputError: nothing is there.
        """
        node = self.value
        for step in path.split("."):
            node = node.get(step, ABSENT) if isinstance(node, Mapping) else ABSENT
            if node is ABSENT:
                keys = list(self.value) if isinstance(self.value, Mapping) else []
                raise InputError(
                    f"nothing stands at --rows {path}",
                    location=Location(self.shown),
                    hint=f"its keys: {', '.join(keys[:20])}" if keys else "it is a list already",
                )
        return JsonFile(self.shown, self.text, node, tuple(path.split(".")))


def json_file(text: str, shown: str, hint: str) -> JsonFile:
    """A text decoded.

    Args:
        text: the whole file.
        shown: its name in errors.
        hint: the way out where the fault has none of its own.

    Raises:
        InputError: it is empty or no JSON, or has a fault such as a key twice; at the first.
    """
    if not text.strip():
        raise InputError("no row in it", location=Location(shown), hint=hint)
    decoded = decode(text.encode("utf-8", "surrogatepass"))
    shift = 0
    if decoded.value is None and decoded.faults[0].kind is FaultKind.NOT_AN_OBJECT:
        shift = len(_HEAD)
        decoded = decode((_HEAD + text + _TAIL).encode("utf-8", "surrogatepass"))
    if decoded.value is None or decoded.faults:
        fault = decoded.faults[0]
        raise InputError(
            fault.message.replace("the line ends", "the file ends"),
            location=place(decoded.text[shift:], max(0, fault.position - shift), shown),
            hint=fault.hint or hint,
        )
    return JsonFile(shown, text, decoded.value[_KEY] if shift else decoded.value)


def _place(wrapped: str, position: int, shown: str) -> Location:
    return place(wrapped[len(_HEAD) :], max(0, position - len(_HEAD)), shown)
