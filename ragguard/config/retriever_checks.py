"""What the settings of a retriever must be besides valid by the schema."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from ragguard.config.environment import strings
from ragguard.config.positions import PositionedYaml
from ragguard.config.problem import ConfigProblem
from ragguard.config.template import (
    Part,
    Placeholder,
    TemplateError,
    Variable,
    parse_template,
    parse_variables,
)

Path = list[str | int]

RETRIEVER_KINDS: tuple[Literal["python", "command", "http", "run", "search"], ...] = (
    "python",
    "command",
    "http",
    "run",
    "search",
)
EXPRESSIONS = ("results", "id", "score", "text", "error", "rewritten", "admitted")
"""Settings of an http retriever that are JMESPath expressions; so is each of its `stages`."""

_ONLY_FOR = {"interpreter": ("python",), "id_field": ("python",), "env": ("python", "command")}
_SHELL_WORDS = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"})
_FRAMING = frozenset({"content-length", "transfer-encoding", "connection"})
_HOST_IS_FIXED = re.compile(r"https?://[^/?#]+[/?]", re.IGNORECASE)
_WITH_USER = re.compile(r"[^/?#]*//[^/?#]*@")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_retriever(
    document: PositionedYaml, path: Path, retriever: Mapping[str, Any]
) -> Iterator[ConfigProblem]:
    """What is wrong in the settings of one retriever, which satisfy the schema."""
    kinds = [kind for kind in RETRIEVER_KINDS if kind in retriever]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none of them"
        yield ConfigProblem(
            document.locate(path),
            f"a retriever has exactly one of {', '.join(RETRIEVER_KINDS)}; here: {found}",
        )
        return
    kind = kinds[0]
    yield from _misplaced(document, path, retriever, kind)
    yield from _gaps(document, path, retriever)
    if kind == "command":
        yield from _command(document, [*path, "command"], retriever["command"])
    if kind == "http":
        yield from _url(document, [*path, "http", "url"], retriever["http"]["url"])
        yield from _headers(document, [*path, "http", "headers"], retriever["http"])
        yield from _expressions(document, [*path, "http"], retriever["http"])


def _misplaced(
    document: PositionedYaml, path: Path, retriever: Mapping[str, Any], kind: str
) -> Iterator[ConfigProblem]:
    for key, kinds in _ONLY_FOR.items():
        if key in retriever and kind not in kinds:
            yield ConfigProblem(
                document.locate_key([*path, key]),
                f"{key!r} means something for a {' or '.join(kinds)} retriever only",
                f"remove it, or use `{kinds[0]}:` instead of `{kind}:`",
            )
    if retriever.get("concurrency", 1) > 1 and kind != "http":
        yield ConfigProblem(
            document.locate([*path, "concurrency"]),
            f"a {kind} retriever is asked one query at a time",
            "leave concurrency out; an http retriever takes more",
        )


def _gaps(
    document: PositionedYaml, path: Path, retriever: Mapping[str, Any]
) -> Iterator[ConfigProblem]:
    """Gaps that are badly written, or stand where nothing fills them."""
    for where, text in strings(retriever):
        if where[0] == "http" and where[1] in {"url", "headers", "body"}:
            try:
                parse_template(text)
            except TemplateError as error:
                yield ConfigProblem(document.locate([*path, *where]), str(error), error.hint)
        elif where[0] == "env":
            try:
                parse_variables(text)
            except TemplateError as error:
                yield ConfigProblem(document.locate([*path, *where]), str(error), error.hint)
        elif "${env:" in text:
            yield ConfigProblem(
                document.locate([*path, *where]),
                "${env:…} is expanded in env, and in url, headers and body of http, not here",
                "arguments of a command show in the list of processes; hand the value over with "
                "`env: {NAME: ${env:NAME}}`"
                if where[0] in {"python", "command", "interpreter", "id_field"}
                else None,
            )


def _command(
    document: PositionedYaml, path: Path, command: str | list[str]
) -> Iterator[ConfigProblem]:
    if not isinstance(command, str):
        if not command[0]:
            yield ConfigProblem(document.locate(path), "the program of the command is empty")
        return
    try:
        words = shlex.split(command)
    except ValueError as error:
        yield ConfigProblem(
            document.locate(path),
            f"the command cannot be split into words: {error}",
            "close the quotation, or write a list: [program, argument, …]",
        )
        return
    if not words or not words[0]:
        yield ConfigProblem(document.locate(path), "the command is empty")
    for word in words:
        if word in _SHELL_WORDS:
            yield ConfigProblem(
                document.locate(path),
                f"no shell runs the command, so {word!r} would be an argument like any other",
                "put it into a script, or write [sh, -c, '…']",
            )
            return


def _parts(text: str) -> tuple[Part, ...]:
    try:
        return parse_template(text)
    except TemplateError:
        return ()


def _url(document: PositionedYaml, path: Path, url: str) -> Iterator[ConfigProblem]:
    parts = _parts(url)
    if parts and isinstance(parts[0], Variable):
        parts = ("https://variable", *parts[1:])
    fixed = ""
    for part in parts:
        if isinstance(part, Placeholder):
            break
        fixed += part if isinstance(part, str) else "variable"
    has_placeholder = any(isinstance(part, Placeholder) for part in parts)
    if has_placeholder and not _HOST_IS_FIXED.match(fixed):
        yield ConfigProblem(
            document.locate(path),
            "a placeholder stands in the scheme or the host of the URL",
            "the host is the same for all queries; placeholders belong into path and query",
        )
    if _WITH_USER.match(url):
        yield ConfigProblem(
            document.locate(path),
            "the URL holds a user or a password",
            "send them as a header: Authorization: Basic ${env:CREDENTIALS} (user:password in "
            "base64)",
        )


def _headers(
    document: PositionedYaml, path: Path, http: Mapping[str, Any]
) -> Iterator[ConfigProblem]:
    seen: set[str] = set()
    for name, value in http.get("headers", {}).items():
        place = [*path, name]
        if name.lower() in _FRAMING:
            yield ConfigProblem(
                document.locate_key(place), f"{name} is set by ragguard, for it frames the request"
            )
        if name.lower() in seen:
            yield ConfigProblem(document.locate_key(place), f"the header {name} stands twice")
        if _CONTROL.search(value):
            yield ConfigProblem(
                document.locate(place), f"the header {name} holds a line break or control character"
            )
        seen.add(name.lower())


def _expressions(
    document: PositionedYaml, path: Path, http: Mapping[str, Any]
) -> Iterator[ConfigProblem]:
    places: list[tuple[Path, str]] = [
        ([*path, key], http[key]) for key in EXPRESSIONS if key in http
    ]
    places += [([*path, "stages", name], each) for name, each in http.get("stages", {}).items()]
    if not places:
        return
    import jmespath

    for place, expression in places:
        try:
            jmespath.compile(expression)
        except jmespath.exceptions.JMESPathError as error:
            told = " ".join(str(error).split("\n")[0].split())
            yield ConfigProblem(
                document.locate(place),
                f"{expression!r} is no JMESPath expression: {told}",
                "https://jmespath.org shows how they are written",
            )
