"""GitHub's published description as a judge of requests and answers."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from werkzeug.datastructures import Headers, ImmutableMultiDict

from tests.loopback.operations import SERVED
from tests.loopback.state import Received

SLICE = Path(__file__).with_name("github_openapi.json")
HOST = "https://api.github.com"
Json = dict[str, Any]
EMPTIEST: Json = {"array": [], "boolean": False, "integer": 0, "number": 0}
EMPTIEST_TEXT = {"uri": HOST, "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends back; ``described`` is False for a fault, which is not judged."""

    status: int
    body: bytes = b""
    content_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    described: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """The operation that a path belongs to, with the parameters in the path, percent-decoded."""

    operation: str
    parameters: dict[str, str]

    @property
    def template(self) -> str:
        """The path template of the operation."""
        return self.operation.split(" ", 1)[1]


@dataclass(slots=True)
class _Asked:
    """A request in the form that openapi-core reads."""

    path: str
    method: str
    body: bytes | None
    content_type: str
    parameters: RequestParameters
    host_url: str = HOST


@dataclass(frozen=True, slots=True)
class _Answered:
    """An answer in the form that openapi-core reads."""

    status_code: int
    data: bytes
    content_type: str
    headers: Headers


@functools.lru_cache(maxsize=1)
def description() -> Json:
    """The slice as JSON."""
    loaded: Json = json.loads(SLICE.read_text("utf-8"))
    return loaded


@functools.lru_cache(maxsize=1)
def _judge() -> OpenAPI:
    strict = Config(additional_properties_default_policy="forbid")
    return OpenAPI.from_dict(description(), config=strict)


@functools.lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    most_literal_first = sorted(SERVED, key=lambda served: -len(re.sub(r"{.*?}", "", served)))
    return tuple((served, re.compile(_pattern(served))) for served in most_literal_first)


def _pattern(served: str) -> str:
    wide = {
        parameter["name"] for parameter in parameters(served) if parameter.get("x-multi-segment")
    }

    def group(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{'.*' if found[1] in wide else '[^/]+'})"

    return re.sub(r"{(.*?)}", group, served)


def match(method: str, path: str) -> Match | None:
    """The served operation for a path that is still percent-encoded; None for an unknown one."""
    for served, pattern in _patterns():
        if found := pattern.fullmatch(f"{method} {path}"):
            return Match(
                served, {name: unquote(value) for name, value in found.groupdict().items()}
            )
    return None


def operation(served: str) -> Json:
    """The description of one ``METHOD /template``."""
    method, path = served.split(" ", 1)
    found: Json = description()["paths"][path][method.lower()]
    return found


def parameters(served: str) -> list[Json]:
    """The described parameters of an operation, references resolved."""
    return [_resolved(each) for each in operation(served)["parameters"]]


def documentation(served: str) -> str:
    """The manual page of an operation, which GitHub names in its error answers."""
    url: str = operation(served)["externalDocs"]["url"]
    return url


def request_problems(received: Received, found: Match) -> list[str]:
    """What in a request does not fit the description, unknown query parameters included."""
    known = {each["name"] for each in parameters(found.operation) if each["in"] == "query"}
    problems = [f"unknown query parameter {name!r}" for name in received.query if name not in known]
    described = "requestBody" in operation(found.operation)
    if received.body and not described:
        problems.append("a body where the description has none")
    try:
        _judge().validate_request(_asked(received, found))
    except OpenAPIError as error:
        problems.append(_reason(error))
    return problems


def answer_problems(received: Received, found: Match, answer: Answer) -> list[str]:
    """What in an answer does not fit: status, media type, body; fields unknown or missing."""
    if answer.status in (
        401,
        403,
        404,
        429,
    ):  # any operation may answer these; not every description says so
        return list(_error_problems(answer))
    if answer.status not in map(int, operation(found.operation)["responses"]):
        return [f"status {answer.status} is not described"]
    if answer.status in (204, 302):
        return ["a body where the description has none"] if answer.body else []
    given = _Answered(answer.status, answer.body, answer.content_type, Headers(answer.headers))
    try:
        _judge().validate_response(_asked(received, found), given)
    except OpenAPIError as error:
        return [_reason(error)]
    return []


def _error_problems(answer: Answer) -> Iterator[str]:
    known = description()["components"]["schemas"]["basic-error"]["properties"]
    try:
        body = json.loads(answer.body)
    except ValueError:
        yield "an error answer that is not JSON"
        return
    if not isinstance(body, dict) or not isinstance(body.get("message"), str):
        yield "an error answer without a message"
    elif body.keys() - known.keys():
        yield f"an error answer with the unknown fields {sorted(body.keys() - known.keys())}"


def _asked(received: Received, found: Match) -> _Asked:
    path = re.sub(
        r"{(.*?)}", lambda name: quote(found.parameters[name[1]], safe=""), found.template
    )
    asked = RequestParameters(
        query=ImmutableMultiDict(received.query),
        header=Headers(received.headers),
        path=found.parameters,
    )
    media = received.headers.get("content-type", "")
    return _Asked(path, received.method.lower(), received.body or None, media, asked)


def _reason(error: BaseException) -> str:
    """The places and causes in an openapi-core error; its own words when it has no place."""
    words, places = [str(error)], []
    cause = error.__cause__
    while cause is not None:
        words.append(str(cause))
        places += [
            f"at {_place(inner)}: {inner.message[:300]}"
            for inner in getattr(cause, "schema_errors", ())
        ]
        cause = cause.__cause__
    return "; ".join(places or words)


def _place(inner: Any) -> str:
    return "/".join(str(step) for step in inner.absolute_path) or "(top)"


def _resolved(value: Json) -> Json:
    if "$ref" not in value:
        return value
    _, _, section, name = value["$ref"].split("/", 3)
    found: Json = description()["components"][section][name]
    return found


def skeleton(schema: str, **known: object) -> Json:
    """An object of a schema: the ``known``, and the emptiest for other required fields."""
    filled = _emptiest({"$ref": f"#/components/schemas/{schema}"}, prefer_null=False)
    return {**filled, **known}


def _emptiest(schema: Json, *, prefer_null: bool = True) -> Any:
    schema = _resolved(schema)
    if prefer_null and schema.get("nullable"):
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return _emptiest(schema[choice][0])
    kind = schema.get("type", "object")
    if kind == "string":
        return EMPTIEST_TEXT.get(schema.get("format", ""), "")
    return _emptiest_object(schema) if kind == "object" else EMPTIEST[kind]


def _emptiest_object(schema: Json) -> Json:
    properties = schema.get("properties", {})
    required = [name for name in schema.get("required", ()) if name in properties]
    filled = {name: _emptiest(properties[name]) for name in required}
    for part in schema.get("allOf", ()):
        filled |= _emptiest(part)
    return filled
