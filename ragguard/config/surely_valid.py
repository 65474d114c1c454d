"""Whether a value surely satisfies a JSON Schema, told without the library that explains faults.

Importing jsonschema takes longer than linting a small dataset. So a sound configuration is passed
here, and only what may be faulty is handed to jsonschema, which then has the word. A keyword that
is not known here makes nothing sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
_SILENT = frozenset({"title", "description", "default", "examples", "$id", "$schema", "$defs"})


def is_surely_valid(value: Any, schema: Schema | bool, root: Schema) -> bool:
    """Whether a value satisfies a schema for certain; False also when that cannot be told here.

    Args:
        value: decoded YAML or JSON.
        schema: the schema, or the part of it that is for this value.
        root: the whole schema, for references into it.
    """
    if isinstance(schema, bool):
        return schema
    return all(
        keyword in _SILENT or (keyword in _CHECKS and _CHECKS[keyword](value, limit, schema, root))
        for keyword, limit in schema.items()
    )


def _is_of(value: Any, name: str) -> bool:
    expected = _TYPES.get(name)
    if expected is None or (isinstance(value, bool) and name != "boolean"):
        return False
    return isinstance(value, expected)


def _type(value: Any, limit: Any, _schema: Schema, _root: Schema) -> bool:
    return any(_is_of(value, name) for name in ([limit] if isinstance(limit, str) else limit))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _properties(value: Any, limit: Any, _schema: Schema, root: Schema) -> bool:
    if not isinstance(value, dict):
        return True
    return all(
        is_surely_valid(value[name], part, root) for name, part in limit.items() if name in value
    )


def _patterned(value: Any, limit: Any, _schema: Schema, root: Schema) -> bool:
    if not isinstance(value, dict):
        return True
    return all(
        is_surely_valid(each, part, root)
        for key, each in value.items()
        for pattern, part in limit.items()
        if isinstance(key, str) and re.search(pattern, key)
    )


def _additional(value: Any, limit: Any, schema: Schema, root: Schema) -> bool:
    if not isinstance(value, dict):
        return True
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return all(
        isinstance(key, str)
        and (
            key in known
            or any(re.search(pattern, key) for pattern in patterns)
            or is_surely_valid(each, limit, root)
        )
        for key, each in value.items()
    )


def _names(value: Any, limit: Any, _schema: Schema, root: Schema) -> bool:
    return not isinstance(value, dict) or all(is_surely_valid(key, limit, root) for key in value)


def _items(value: Any, limit: Any, _schema: Schema, root: Schema) -> bool:
    return not isinstance(value, list) or all(is_surely_valid(each, limit, root) for each in value)


def _unique(value: Any, limit: Any, _schema: Schema, _root: Schema) -> bool:
    if not limit or not isinstance(value, list):
        return True
    return all(isinstance(each, str | int) for each in value) and len(set(value)) == len(value)


def _reference(value: Any, limit: Any, _schema: Schema, root: Schema) -> bool:
    part: Any = root
    for step in limit.removeprefix("#/").split("/"):
        part = part.get(step) if isinstance(part, Mapping) else None
    return part is not None and is_surely_valid(value, part, root)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


Check = Callable[[Any, Any, Schema, Schema], bool]

_CHECKS: Mapping[str, Check] = {
    "type": _type,
    "properties": _properties,
    "patternProperties": _patterned,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "items": _items,
    "uniqueItems": _unique,
    "$ref": _reference,
    "anyOf": lambda value, limit, _, root: any(is_surely_valid(value, s, root) for s in limit),
    "const": lambda value, limit, *_: _same(value, limit),
    "enum": lambda value, limit, *_: any(_same(value, each) for each in limit),
    "required": lambda value, limit, *_: not isinstance(value, dict) or set(limit) <= set(value),
    "pattern": lambda value, limit, *_: not isinstance(value, str) or bool(re.search(limit, value)),
    "minLength": lambda value, limit, *_: not isinstance(value, str) or len(value) >= limit,
    "minItems": lambda value, limit, *_: not isinstance(value, list) or len(value) >= limit,
    "minProperties": lambda value, limit, *_: not isinstance(value, dict) or len(value) >= limit,
    "minimum": lambda value, limit, *_: not _is_number(value) or value >= limit,
    "maximum": lambda value, limit, *_: not _is_number(value) or value <= limit,
    "exclusiveMinimum": lambda value, limit, *_: not _is_number(value) or value > limit,
}
