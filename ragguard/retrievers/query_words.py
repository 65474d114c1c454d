"""The words of a query as the index sees them, and the FTS5 expression they make.

What is a word, and which two are the same, is asked of the tokenizer of the index itself: any
second opinion (Unicode's case folding turns `Straße` into `strasse`, FTS5's does not) would look
for words that no text holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Literal

_SPLITTERS = {"porter": "unicode61", "unicode61": "unicode61", "trigram": "trigram"}
"""What splits a query: stemming is left to the index, so that two forms of a word stay two."""

Tokens = tuple[str, ...]


class QueryWords:
    """Makes expressions for an index that splits its texts by one of SQLite's tokenizers."""

    def __init__(self, tokenizer: Literal["porter", "unicode61", "trigram"]) -> None:
        """Prepare an index of queries beside that of the texts.

        Raises:
            sqlite3.OperationalError: this SQLite has no FTS5, or lacks the tokenizer.
        """
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE words USING fts5 "
            f"(text, content='', tokenize='{_SPLITTERS[tokenizer]}')"
        )
        self._database.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab(words, instance)")

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, in the order in which they stand in it."""
        self._database.executemany(
            "INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(map(indexable, texts), 1)
        )
        rows = self._database.execute("SELECT doc, offset, term FROM tokens").fetchall()
        self._database.execute("INSERT INTO words (words) VALUES ('delete-all')")
        found: list[list[str]] = [[] for _ in texts]
        for text, _, term in sorted(rows):
            found[text - 1].append(term)
        return list(map(tuple, found))

    def expression(self, text: str, match: Literal["any", "all"]) -> str:
        """The FTS5 expression for a query in plain language; empty when it holds no token.

        Every word is quoted, so that no character of a query is an operator: a quoted identifier
        such as `invoice.number_pattern` becomes a phrase. A word that stands twice counts once;
        one without a token (`?`; `ab` among trigrams) is left out, for FTS5 finds nothing by it.
        Where no word alone has a token, as in `1 a` among trigrams, the text is one phrase.
        """
        for words in (indexable(text).split(), [indexable(text)]):
            different: dict[Tokens, str] = {}
            for word, tokens in zip(words, self.tokens(words), strict=True):
                if tokens:
                    different.setdefault(tokens, word)
            if different:
                break
        quoted = ['"' + word.replace('"', '""') + '"' for word in different.values()]
        return (" OR " if match == "any" else " AND ").join(quoted)


def indexable(text: str) -> str:
    """A text without what SQLite cannot take in, the same for texts and queries.

    A NUL ends a text for the trigram tokenizer and for the parser of expressions, and half of a
    surrogate pair has no UTF-8. Neither is part of a word.
    """
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
