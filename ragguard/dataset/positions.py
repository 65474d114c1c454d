"""Where the values of a JSON text stand; looked up only for rows that have a finding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

Path = Sequence[str | int]

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^,\]}\s]+")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters, 0-based."""

    start: int
    end: int


@dataclass(slots=True)
class _Node:
    """A value in a JSON text: its span and, for containers, its children.

    Attributes:
        keys: key, span of the key and value, for an object, in order, twins included.
        items: values of an array.
    """

    start: int
    end: int = 0
    keys: list[tuple[str, Span, _Node]] | None = None
    items: list[_Node] | None = None


def value_span(text: str, path: Path) -> Span | None:
    """The span of the value at a path, its quotes included; None when there is none.

    Args:
        text: a valid JSON text.
        path: keys and indexes from the outermost value inwards.
    """
    node = _find(text, path)
    return Span(node.start, node.end) if node else None


def key_span(text: str, path: Path) -> Span | None:
    """The span of the key that a path ends in, its quotes included; None when there is none."""
    parent = _find(text, path[:-1])
    if parent is None or parent.keys is None:
        return None
    return next((span for key, span, _ in reversed(parent.keys) if key == path[-1]), None)


def key_spans(text: str) -> Iterator[list[tuple[str, Span]]]:
    """The keys of every object of a valid JSON text with their spans, twins included."""
    pending = [_scan(text)]
    while pending:
        node = pending.pop()
        if node.keys is not None:
            yield [(key, span) for key, span, _ in node.keys]
            pending.extend(child for _, _, child in node.keys)
        pending.extend(node.items or ())


def members(text: str, path: Path) -> list[tuple[Span, Span]] | None:
    """The spans of key and value of every member of the object at a path, twins included.

    None when no object stands there.
    """
    node = _find(text, path)
    if node is None or node.keys is None:
        return None
    return [(span, Span(child.start, child.end)) for _, span, child in node.keys]


def _find(text: str, path: Path) -> _Node | None:
    node: _Node | None = _scan(text)
    for step in path:
        if node is None:
            return None
        node = _child(node, step)
    return node


def _child(node: _Node, step: str | int) -> _Node | None:
    if node.keys is not None:
        # Of twins the last counts, as it does for every JSON decoder.
        return next((child for key, _, child in reversed(node.keys) if key == step), None)
    if node.items is not None and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


@lru_cache(maxsize=1)
def _scan(text: str) -> _Node:
    """The tree of a valid JSON text, built without recursion so that depth is no limit.

    The last is kept: a row with many findings is asked about many of its places.
    """
    root = _Node(_skip(text, 0))
    stack: list[_Node] = []
    node, position = root, root.start
    while True:
        position = _begin(text, node, position)
        if node.end == 0:
            stack.append(node)
        opened = _next_child(text, stack, position) if stack else None
        if opened is None:
            return root
        node, position = opened


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _begin(text: str, node: _Node, position: int) -> int:
    """Read a scalar, or step into a container (whose end stays 0 until it is closed)."""
    first = text[position]
    if first == "{":
        node.keys = []
        return position + 1
    if first == "[":
        node.items = []
        return position + 1
    pattern = _STRING if first == '"' else _SCALAR
    match = pattern.match(text, position)
    node.end = match.end() if match else position + 1
    return node.end


def _next_child(text: str, stack: list[_Node], position: int) -> tuple[_Node, int] | None:
    """The next child of the innermost open container; None once the outermost is closed."""
    while True:
        position = _skip(text, position)
        if text[position] == ",":
            position = _skip(text, position + 1)
        parent = stack[-1]
        if text[position] not in "}]":
            return _open_child(text, parent, position)
        position += 1
        parent.end = position
        stack.pop()
        if not stack:
            return None


def _open_child(text: str, parent: _Node, position: int) -> tuple[_Node, int]:
    if parent.keys is None:
        child = _Node(position)
        if parent.items is not None:
            parent.items.append(child)
        return child, position
    match = _STRING.match(text, position)
    end = match.end() if match else position + 1
    child = _Node(_skip(text, _skip(text, end) + 1))
    parent.keys.append((json.loads(text[position:end]), Span(position, end), child))
    return child, child.start
