"""A query as the rules see it that compare the queries of a suite with each other."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.row import DatasetRow
from ragguard.location import Location

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_ASCII_BETWEEN_WORDS = bytes(
    code for code in range(128) if not chr(code).isalnum() and chr(code) != "\n"
)
_WITHOUT_BETWEEN_WORDS = dict.fromkeys([*_ASCII_BETWEEN_WORDS, ord("\n")])
_TELLING = frozenset("#%&@*/\\")
"""Punctuation that makes another word: C#, R&D, 5%."""

_LEADING = re.compile(r"(?:^|[\s([{\"'])([-.])\Z")
"""A sign that begins a word: -5, .NET."""

_ASCII_SYMBOLS = frozenset("+<=>$^~|")

_MAY_BE_KEPT = re.compile(
    r"""[#%&@*/\\+<=>$^~|]|[0-9][\W_]+[0-9]|(?<![^\s(\[{"'])[-.][^\W_]""",
)
"""What plain ASCII must hold for more than letters and digits to count; few queries do."""

_FEW = 4
"""Queries that are looked at one by one sooner than in halves."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One row of a suite whose query reads like that of another row.

    Attributes:
        location: where its query stands.
        context: its context as canonical JSON; empty without one.
        labels: everything that says what is relevant, as canonical JSON; what is written in another
            order, or as groups of one in place of a flat list, is the same.
    """

    location: Location
    query_id: str | None
    query: str
    context: str
    labels: str
    split: str | None
    is_private: bool

    @classmethod
    def of(cls, row: DatasetRow) -> Occurrence:
        """The occurrence that a row with a query is."""
        fields = row.fields
        split = fields.get("split")
        return cls(
            location=row.locate("query"),
            query_id=row.query_id,
            query=fields["query"],
            context=_canonical(fields["context"]) if fields.get("context") else "",
            labels=_canonical(_labels(fields)),
            split=split if isinstance(split, str) else None,
            is_private=fields.get("private") is True,
        )


def near_key(text: str) -> str:
    """What is left of a query without case, white space, punctuation and compatibility forms.

    What tells queries apart stays: letters, digits and marks, symbols (C++, €), the signs of C#,
    R&D and 5%, a sign that begins a word (-5, .NET), and whatever stands between two digits (1.5).
    A query without any letter or digit is its own key.
    """
    folded = _folded(text)
    words = _words(folded)
    if not words:
        return text
    if text.isascii() and not _MAY_BE_KEPT.search(folded):
        return words
    return _BETWEEN_WORDS.sub(_kept, folded)


def _folded(text: str) -> str:
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return normal.casefold()


def _words(folded: str) -> str:
    if folded.isascii():
        return folded.translate(_WITHOUT_BETWEEN_WORDS)
    return _BETWEEN_WORDS.sub("", folded)


def _kept(between: re.Match[str]) -> str:
    """What stays of the characters between two words."""
    run, text, start, end = between[0], between.string, between.start(), between.end()
    if start and text[start - 1].isdigit() and text[end : end + 1].isdigit():
        return "".join(run.split()) or " "
    kept = "".join(character for character in run if _tells(character))
    leading = _LEADING.search(run) if end < len(text) else None
    return kept + leading[1] if leading and (start == 0 or len(run) > 1) else kept


def _tells(character: str) -> bool:
    if character.isascii():
        return character in _TELLING or character in _ASCII_SYMBOLS
    return unicodedata.category(character)[0] in "MS"


def near_hashes(queries: Sequence[str]) -> list[int]:
    """For each query a hash; queries with the same `near_key` have the same one.

    Coarser than the key, for nothing but letters and digits is looked at. Queries of plain ASCII
    are taken together, which is several times as fast; where one is amiss, in halves.
    """
    joined = "\n".join(queries)
    if joined.isascii() and joined.count("\n") == len(queries) - 1:
        keys = joined.lower().encode().translate(None, _ASCII_BETWEEN_WORDS).split(b"\n")
        if all(keys):
            return list(map(hash, keys))
    if len(queries) <= _FEW:
        coarse = (_words(_folded(query)) or query for query in queries)
        return [hash(key.encode("utf-8", "surrogatepass")) for key in coarse]
    half = len(queries) // 2
    return [*near_hashes(queries[:half]), *near_hashes(queries[half:])]


def _labels(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The labels of a row in one spelling; what is empty or says what holds anyway is left out."""
    labels = {name: _unordered(fields[name]) for name in ("judgments", "spans") if fields.get(name)}
    flat = fields.get("relevant_ids")
    groups = [[each] for each in flat] if isinstance(flat, list) else flat
    if groups or fields.get("evidence"):
        labels["evidence"] = _unordered(groups or fields["evidence"])
    if fields.get("answerable") is False:
        labels["answerable"] = False
    return labels


def _unordered(value: Any) -> Any:
    """A list of labels in an order of its own; a group's members likewise."""
    if not isinstance(value, list):
        return value
    return sorted((_unordered(each) for each in value), key=_canonical)


def _canonical(value: Mapping[str, Any] | Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
