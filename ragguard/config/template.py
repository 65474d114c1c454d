"""Texts of a retriever's settings with gaps: `${env:NAME}` and `{{query}}`.

Parsed once, so that neither the value of a variable nor the text of a query is ever searched for
gaps of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_VARIABLE = r"\$\{env:(?P<name>[^}]*)(?P<end>\}?)"
_ANY_GAP = re.compile(_VARIABLE + r"|\{\{(?P<path>.*?)\}\}", re.DOTALL)
_VARIABLE_GAP = re.compile(_VARIABLE)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PATH = re.compile(r"(query|limit|context(?:\.[^\s.{}?]+)*)(\??)")


class TemplateError(ValueError):
    """A gap that is not written as it should be; `hint` is the way out."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Variable:
    """A gap for the value of an environment variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A gap for a value of the query that is asked.

    Attributes:
        path: `query`, `limit`, or `context` and the keys below it.
        is_optional: whether the value may be absent, and is null then.
    """

    path: tuple[str, ...]
    is_optional: bool = False

    def __str__(self) -> str:
        return ".".join(self.path)


Part = str | Variable | Placeholder


def parse_template(text: str) -> tuple[Part, ...]:
    """The pieces of a text: what stands there, and its gaps.

    Raises:
        TemplateError: a gap is not written as it should be.
    """
    parts: list[Part] = []
    end = 0
    for gap in _ANY_GAP.finditer(text):
        parts.append(text[end : gap.start()])
        parts.append(_placeholder(gap["path"]) if gap["name"] is None else _variable(gap))
        end = gap.end()
    return tuple(part for part in [*parts, text[end:]] if part != "")


def parse_variables(text: str) -> tuple[str | Variable, ...]:
    """The pieces of a text in which `${env:NAME}` alone is a gap.

    Raises:
        TemplateError: it is not written as it should be.
    """
    parts: list[str | Variable] = []
    end = 0
    for gap in _VARIABLE_GAP.finditer(text):
        parts += [text[end : gap.start()], _variable(gap)]
        end = gap.end()
    return tuple(part for part in [*parts, text[end:]] if part != "")


def _variable(gap: re.Match[str]) -> Variable:
    if not gap["end"] or not _NAME.fullmatch(gap["name"]):
        shown = gap[0] if len(gap[0]) <= 40 else f"{gap[0][:40]}…"
        raise TemplateError(
            f"{shown!r} names no environment variable",
            "write ${env:NAME}; a name has letters, digits and underscores",
        )
    return Variable(gap["name"])


def _placeholder(inner: str) -> Placeholder:
    found = _PATH.fullmatch(inner.strip())
    if not found:
        raise TemplateError(
            f"'{{{{{inner}}}}}' is nothing that a query has",
            "there are {{query}}, {{limit}}, {{context}} and {{context.KEY}}; a question mark at "
            "the end, {{context.KEY?}}, allows it to be absent",
        )
    return Placeholder(tuple(found[1].split(".")), bool(found[2]))
