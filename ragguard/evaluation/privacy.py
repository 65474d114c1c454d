"""Keeping the texts of private queries out of what a retriever says went wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from ragguard.dataset.query import Query

WITHHELD = "the retriever's message is withheld, for it quotes this private query"
_PLACEHOLDER = "(private query)"
_TELLING_WORD = re.compile(r"\w{4,}")


class PrivateTexts:
    """The texts of a suite that may stand in no message."""

    def __init__(self, queries: Iterable[Query]) -> None:
        """Keep the texts of the private ones, as written, as JSON and as Python shows them."""
        texts = {query.text.strip() for query in queries if query.private} - {""}
        forms = {form for text in texts for form in (text, _in_json(text), repr(text)[1:-1])}
        longest_first = sorted(forms, key=len, reverse=True)
        self._quoted = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
        self._is_empty = not texts

    def hidden_in(self, message: str, query: Query) -> str:
        """The message about `query` without a private text.

        A message about a private query is withheld as a whole when it has a word of four letters
        or more in common with its text: a retriever may quote it cut, folded or in pieces. In that
        about another, such as the end of a log, whole private texts are replaced.
        """
        if self._is_empty:
            return message
        if query.private and _shares_a_word(message.casefold(), query.text.casefold()):
            return WITHHELD
        return self._quoted.sub(_PLACEHOLDER, message)


def _shares_a_word(message: str, text: str) -> bool:
    words = _TELLING_WORD.findall(text) or [text.strip()]
    return any(word in message for word in words)


def _in_json(text: str) -> str:
    return json.dumps(text)[1:-1]
