"""A JSON file as one value, decoded as strictly as a row, with the place of everything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.decoding import decode
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


def json_file(text: str, shown: str) -> JsonFile:
    """A text decoded.

    Raises:
        InputError: it is no JSON, or has a fault such as a key twice; at the first.
    """
    wrapped = _HEAD + text + _TAIL
    decoded = decode(wrapped.encode("utf-8", "surrogatepass"))
    if decoded.value is None or decoded.faults or len(decoded.value) != 1:
        fault = decoded.faults[0]
        position = min(fault.position, len(wrapped) - len(_TAIL))
        raise InputError(fault.message, location=_place(wrapped, position, shown), hint=fault.hint)
    return JsonFile(shown, text, decoded.value[_KEY])


def _place(wrapped: str, position: int, shown: str) -> Location:
    found = place(wrapped, position, shown)
    if found.line == 1:
        return Location(shown, 1, max(1, (found.column or 1) - len(_HEAD)))
    return found
