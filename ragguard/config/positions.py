"""A YAML document with the place of every key and value, for errors that can be found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from ragguard.errors import ConfigError
from ragguard.location import Location

Path = Sequence[str | int]


class _Loader(yaml.SafeLoader):
    """A safe loader that leaves dates as they are written; the configuration has none."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True, slots=True)
class PositionedYaml:
    """A decoded YAML document.

    Attributes:
        file: its path as shown to the user.
        value: the document as Python values.
        node: its root node, which knows the places; None for an empty document.
    """

    file: str
    value: Any
    node: yaml.Node | None

    @classmethod
    def parse(cls, text: str, file: str) -> PositionedYaml:
        """Decode a document.

        Raises:
            ConfigError: it is not YAML, holds a key twice, or uses a tag with no safe meaning.
        """
        try:
            node, value = _load(text, file)
        except yaml.MarkedYAMLError as error:
            raise ConfigError(
                f"not valid YAML: {error.problem or error.context}",
                location=_location(file, error.problem_mark or error.context_mark),
                hint='put "quotes" around a text that begins with {{'
                if "unhashable" in str(error.problem)
                else None,
            ) from error
        except yaml.YAMLError as error:
            raise ConfigError(f"not valid YAML: {error}", location=Location(file)) from error
        except (RecursionError, ValueError, TypeError) as error:
            raise ConfigError(
                f"YAML that cannot be read: {error}", location=Location(file)
            ) from error
        return cls(file, value, node)

    def locate(self, path: Path) -> Location:
        """Where the value at `path` stands; the nearest enclosing value when it is absent."""
        node = self.node
        for key in path:
            child = _child(node, key)
            if child is None:
                break
            node = child[1]
        return _location(self.file, node.start_mark if node else None)

    def locate_key(self, path: Path) -> Location:
        """Where the last key of `path` is written."""
        node = self.node
        for key in path[:-1]:
            node = (_child(node, key) or (None, None))[1]
        found = _child(node, path[-1])
        return _location(self.file, found[0].start_mark) if found else self.locate(path)


def _load(text: str, file: str) -> tuple[yaml.Node | None, Any]:
    loader = _Loader(text)
    node = loader.get_single_node()
    if node is None:
        return None, None
    _refuse_duplicate_keys(node, file)
    value = loader.construct_document(node)
    json.dumps(value, allow_nan=False)  # a report keeps it: no cycles, no NaN, no bytes
    return node, value


def _child(node: yaml.Node | None, key: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next((pair for pair in node.value if pair[0].value == str(key)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return node.value[key], node.value[key]
    return None


def _location(file: str, mark: yaml.Mark | None) -> Location:
    if mark is None or mark.buffer is None:
        return Location(file, 1, 1)
    # YAML ends lines at U+2028 and others too, where editors do not.
    before = mark.buffer[: mark.pointer]
    line_start = before.rfind("\n") + 1
    return Location(file, before.count("\n") + 1, mark.pointer - line_start + 1)


def _refuse_duplicate_keys(root: yaml.Node, file: str) -> None:
    for node in _mappings(root):
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key.value, str) and key.value in seen:
                raise ConfigError(
                    f"key {key.value!r} stands twice in one mapping",
                    location=_location(file, key.start_mark),
                    hint="remove one of the two; YAML would silently keep only the last",
                )
            seen.add(str(key.value))


def _mappings(root: yaml.Node) -> Iterator[yaml.MappingNode]:
    pending, seen = [root], {id(root)}
    while pending:
        node = pending.pop()
        if isinstance(node, yaml.MappingNode):
            yield node
        for child in _children(node):
            if id(child) not in seen:
                seen.add(id(child))
                pending.append(child)


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
