"""Values of environment variables that may be written nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

SHORTEST = 4
"""Characters of the shortest value that is hidden; a shorter one would be found everywhere."""


class Secrets:
    """Replaces the values of variables by their names wherever a text holds them."""

    def __init__(self, values: Mapping[str, str]) -> None:
        """Keep the values as written, trimmed, quoted for JSON, for Python and for a URL."""
        self._names: dict[str, str] = {}
        for name, value in values.items():
            for form in _forms(value):
                if len(form) >= SHORTEST:
                    self._names.setdefault(form, name)
        longest_first = sorted(self._names, key=len, reverse=True)
        # A host in a URL is told in lower case, whatever it was written in.
        self._pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)

    def __bool__(self) -> bool:
        """Whether there is anything to hide."""
        return bool(self._names)

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(set(self._names.values())))})"

    def hidden(self, text: str) -> str:
        """The text with `${env:NAME}` in place of each value."""
        if not self._names:
            return text
        return self._pattern.sub(lambda found: f"${{env:{self._name(found[0])}}}", text)

    def hidden_in(self, value: Any) -> Any:
        """A JSON value with every text in it hidden, keys included."""
        if not self._names:
            return value
        if isinstance(value, str):
            return self.hidden(value)
        if isinstance(value, dict):
            return {self.hidden_in(key): self.hidden_in(each) for key, each in value.items()}
        return [self.hidden_in(each) for each in value] if isinstance(value, list) else value

    def name_in(self, text: str) -> str | None:
        """The name of a variable whose value a text holds, None when it holds none."""
        found = self._pattern.search(text) if self._names else None
        return self._name(found[0]) if found else None

    def _name(self, found: str) -> str:
        if found in self._names:
            return self._names[found]
        pattern = re.compile(re.escape(found), re.IGNORECASE)
        return next(name for form, name in self._names.items() if pattern.fullmatch(form))


NO_SECRETS = Secrets({})


def _forms(value: str) -> set[str]:
    spellings = {value, value.strip()}
    return {
        form
        for each in spellings
        for form in (
            each,
            json.dumps(each)[1:-1],
            json.dumps(each, ensure_ascii=False)[1:-1],
            repr(each)[1:-1],
            quote(each, safe="", errors="surrogatepass"),
            quote(each, errors="surrogatepass"),
            quote_plus(each, errors="surrogatepass"),
        )
    }
