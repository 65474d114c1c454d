"""From the body of an HTTP answer to a message of the worker protocol, by JMESPath."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ragguard.retrievers.parsing import shortened
from ragguard.retrievers.secret_values import Secrets

_LOOKED_AT = 1 << 16
DEFAULTS = {"results": "results", "id": "id", "score": "score"}


class UnreadableAnswerError(Exception):
    """An answer in which nothing can be looked up."""


class AnswerReader:
    """Finds results, ids and scores where a suite's settings say they are."""

    def __init__(self, options: Mapping[str, Any], secrets: Secrets) -> None:
        """Compile the expressions, which were checked with the configuration."""
        import jmespath

        self._compile = jmespath.compile
        self._fault = jmespath.exceptions.JMESPathError
        self._secrets = secrets
        self._expressions = {**DEFAULTS, **options}
        self._compiled: dict[str, Any] = {}

    def message(self, content: bytes) -> dict[str, Any]:
        """The message that an answer amounts to: `error`, or `results` and what goes with them.

        Raises:
            UnreadableAnswerError: it is no JSON, lacks the results, or an expression fails on it.
        """
        answer = self._decoded(content)
        if "error" in self._expressions:
            error = self._found("error", answer)
            if error is not None and error is not False and error not in ("", [], {}):
                return {"error": error if isinstance(error, str) else json.dumps(error)}
        message: dict[str, Any] = {"results": self._items(self._expressions["results"], answer)}
        for name in ("rewritten", "admitted"):
            if name in self._expressions:
                message[name] = self._found(name, answer)
        stages = self._expressions.get("stages", {})
        if stages:
            message["stages"] = {name: self._items(each, answer) for name, each in stages.items()}
        return message

    def _items(self, expression: str, answer: Any) -> list[Any]:
        found = self._search(expression, answer)
        if not isinstance(found, list):
            shown = shortened(self._secrets.hidden_in(found))
            raise UnreadableAnswerError(
                f"{expression!r} finds no list of results in it, but {shown}"
            )
        return [self._item(each) for each in found]

    def _item(self, result: Any) -> dict[str, Any]:
        item = {"id": self._found("id", result), "score": self._found("score", result)}
        text = self._found("text", result) if "text" in self._expressions else None
        return {**item, "text": text} if isinstance(text, str) else item

    def _found(self, name: str, value: Any) -> Any:
        return self._search(self._expressions[name], value)

    def _search(self, expression: str, value: Any) -> Any:
        compiled = self._compiled.get(expression)
        if compiled is None:
            compiled = self._compiled[expression] = self._compile(expression)
        try:
            return compiled.search(value)
        except self._fault as error:
            raise UnreadableAnswerError(f"{expression!r} fails on it: {error}") from error

    def _decoded(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            # Hidden before it is cut: half a secret would not be found.
            start = self._secrets.hidden(content[:_LOOKED_AT].decode("utf-8", "replace"))
            raise UnreadableAnswerError(f"it is no JSON: {shortened(start[:200])}") from None
