"""Filling the gaps in a retriever's settings: variables once, values of the query for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from ragguard.config.template import Placeholder, Variable, parse_template, parse_variables
from ragguard.dataset.query import Query

Values = Mapping[str, Any]
"""What placeholders stand for: `query`, `limit` and `context`."""

Filler = Callable[[Values], Any]


class FillingError(ValueError):
    """A query lacks what a placeholder asks for, or has something that does not fit there."""


def query_values(query: Query, limit: int) -> Values:
    """What the placeholders stand for when this query is asked."""
    return {"query": query.text, "limit": limit, "context": dict(query.context or {})}


def expanded(text: str, variables: Mapping[str, str]) -> str:
    """A text in which `${env:NAME}` alone is a gap."""
    return "".join(
        variables[part.name] if isinstance(part, Variable) else part
        for part in parse_variables(text)
    )


def text_filler(text: str, variables: Mapping[str, str]) -> Callable[[Values], str]:
    """Fills a text: a header, say. What is filled in stands there as it is."""
    return _joining(text, variables, as_text)


def url_filler(url: str, variables: Mapping[str, str]) -> Callable[[Values], str]:
    """Fills a URL: variables as they are, values of the query percent-encoded."""
    return _joining(url, variables, _as_url_part)


def json_filler(template: Any, variables: Mapping[str, str]) -> Filler:
    """Fills a JSON value: a text that is a placeholder becomes the value itself."""
    if isinstance(template, dict):
        members = {key: json_filler(each, variables) for key, each in template.items()}
        return lambda values: {key: fill(values) for key, fill in members.items()}
    if isinstance(template, list):
        items = [json_filler(each, variables) for each in template]
        return lambda values: [fill(values) for fill in items]
    if not isinstance(template, str):
        return lambda _: template
    parts = parse_template(template)
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        alone = parts[0]
        return lambda values: looked_up(alone, values)
    return text_filler(template, variables)


def _joining(
    text: str, variables: Mapping[str, str], shown: Callable[[Any, Placeholder], str]
) -> Callable[[Values], str]:
    parts = [
        variables[part.name] if isinstance(part, Variable) else part
        for part in parse_template(text)
    ]
    return lambda values: "".join(
        part if isinstance(part, str) else shown(looked_up(part, values), part) for part in parts
    )


def looked_up(placeholder: Placeholder, values: Values) -> Any:
    """The value that a placeholder stands for; None where it may be absent and is.

    Raises:
        FillingError: it is absent, and must not be.
    """
    value: Any = values
    for key in placeholder.path:
        if not isinstance(value, Mapping) or key not in value:
            if placeholder.is_optional:
                return None
            raise FillingError(
                f"its row has no {placeholder}, which the request needs; "
                f"{{{{{placeholder}?}}}} allows it to be absent"
            )
        value = value[key]
    return value


def as_text(value: Any, placeholder: Placeholder) -> str:
    """A single value as it stands within a text.

    Raises:
        FillingError: it is a list or an object.
    """
    if isinstance(value, dict | list):
        raise FillingError(
            f"{placeholder} is {'a list' if isinstance(value, list) else 'an object'}, which "
            "cannot stand within a text; in a body it can stand alone"
        )
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _as_url_part(value: Any, placeholder: Placeholder) -> str:
    text = as_text(value, placeholder)
    if text in {".", ".."}:
        raise FillingError(f"{placeholder} is {text!r}, which means another folder in a URL")
    return quote(text, safe="")
