"""Cut GitHub's published OpenAPI description down to the operations that the loopback serves.

The description is the npm package ``@octokit/openapi``. Install it outside the repository, then::

    python -m tests.loopback.cut_openapi FOLDER/node_modules/@octokit/openapi

Only structure is kept: paths, parameters, types, required fields, enumerations, and the address of
each operation's manual page (GitHub repeats it in its error answers). Prose and examples are not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.loopback.operations import SERVED

SLICE = Path(__file__).with_name("github_openapi.json")
ALWAYS_KEPT = ("basic-error", "validation-error")
SCHEMA_KEYWORDS = frozenset(
    {"$ref", "type", "format", "nullable", "enum", "required", "properties", "items"}
    | {"additionalProperties", "patternProperties", "oneOf", "anyOf", "allOf", "pattern"}
    | {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"}
)
Json = dict[str, Any]


def cut(description: Json, package_version: str) -> Json:
    """The served operations with all they refer to; KeyError when the package lost one."""
    paths: Json = {}
    for method, path in (served.split() for served in SERVED):
        paths.setdefault(path, {})[method.lower()] = operation(
            description["paths"][path][method.lower()]
        )
    components: Json = {
        "schemas": {
            name: schema(description["components"]["schemas"][name]) for name in ALWAYS_KEPT
        }
    }
    pending = list(references([paths, components]))
    while pending:
        section, name = pending.pop()
        kept = components.setdefault(section, {})
        if name not in kept:
            kept[name] = COMPONENTS[section](description["components"][section][name])
            pending.extend(references(kept[name]))
    return {
        "openapi": description["openapi"],
        "info": {"title": "GitHub REST API, cut from @octokit/openapi", "version": package_version},
        "servers": [{"url": "https://api.github.com"}],
        "paths": paths,
        "components": components,
    }


def operation(full: Json) -> Json:
    """One operation: its id, the address of its manual page, what it takes and what it answers."""
    kept: Json = {
        "operationId": full["operationId"],
        "externalDocs": {"url": full["externalDocs"]["url"]},
    }
    kept["parameters"] = [parameter(each) for each in full.get("parameters", [])]
    if "requestBody" in full:
        kept["requestBody"] = {
            "required": full["requestBody"].get("required", False),
            "content": content(full["requestBody"]),
        }
    kept["responses"] = {status: response(each) for status, each in full["responses"].items()}
    return kept


def parameter(full: Json) -> Json:
    """A parameter, or the reference to it."""
    if "$ref" in full:
        return {"$ref": full["$ref"]}
    kept = {
        key: full[key]
        for key in ("name", "in", "required", "style", "explode", "x-multi-segment")
        if key in full
    }
    return kept | {"schema": schema(full["schema"])}


def response(full: Json) -> Json:
    """A response, or the reference to it; OpenAPI demands a description, which stays empty."""
    if "$ref" in full:
        return {"$ref": full["$ref"]}
    kept: Json = {"description": ""}
    if "content" in full:
        kept["content"] = content(full)
    if "headers" in full:
        kept["headers"] = {name: header(each) for name, each in full["headers"].items()}
    return kept


def header(full: Json) -> Json:
    """A header, or the reference to it."""
    return {"$ref": full["$ref"]} if "$ref" in full else {"schema": schema(full["schema"])}


def content(full: Json) -> Json:
    """The media types of a body with their schemas."""
    return {media: {"schema": schema(each["schema"])} for media, each in full["content"].items()}


def schema(full: Json | bool) -> Json | bool:
    """A schema with its structural keywords alone; a property may be called like a keyword."""
    if isinstance(full, bool):
        return full
    kept: Json = {key: value for key, value in full.items() if key in SCHEMA_KEYWORDS}
    for key in kept.keys() & {"properties", "patternProperties"}:
        kept[key] = {name: schema(each) for name, each in kept[key].items()}
    for key in kept.keys() & {"items", "additionalProperties"}:
        kept[key] = schema(kept[key])
    for key in kept.keys() & {"oneOf", "anyOf", "allOf"}:
        kept[key] = [schema(each) for each in kept[key]]
    return kept


COMPONENTS = {"schemas": schema, "parameters": parameter, "responses": response, "headers": header}


def references(value: object) -> Iterator[tuple[str, str]]:
    """Every ``#/components/SECTION/NAME`` below ``value``, as (section, name)."""
    if isinstance(value, dict):
        target = value.get("$ref")
        if isinstance(target, str):
            section, name = target.removeprefix("#/components/").split("/", 1)
            yield section, name
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def main() -> None:
    """Write the slice beside this file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("package", type=Path, help="the unpacked @octokit/openapi")
    package: Path = arguments.parse_args().package
    version = json.loads((package / "package.json").read_text("utf-8"))["version"]
    description = json.loads((package / "generated" / "api.github.com.json").read_text("utf-8"))
    text = json.dumps(
        cut(description, version), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    SLICE.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
