"""TREC topics: queries as blocks of tags, either `<top>` with `<num>` and `<title>`, or `<DOC>`.

A topic's query is its title, as in most runs; descriptions and narratives are for assessors. Old
collections keep their queries like documents, with `<DOCNO>` and nothing but the text after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ragguard.dataset.imports.forms import text_of
from ragguard.dataset.lines import read_lines
from ragguard.errors import InputError
from ragguard.location import Location

Topic = tuple[Location, str, str]
"""Where it begins, its id and its text."""

_OPENING = re.compile(r"<(top|doc)>", re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?(.*?)(?=</?[a-z]+>|\Z)", re.IGNORECASE | re.DOTALL)
_DOCUMENT = re.compile(r"<docno>\s*([^\s<]+)\s*</docno>(.*)", re.IGNORECASE | re.DOTALL)
_CLOSING = {tag: re.compile(f"</{tag}>", re.IGNORECASE) for tag in ("top", "doc")}


def are_topics(path: Path, shown: str) -> bool:
    """Whether the first line that is not blank opens a topic."""
    first = next((line for line in read_lines(path, shown) if line.content.strip()), None)
    return first is not None and bool(_OPENING.match(text_of(first, shown).lstrip()))


def topics(path: Path, shown: str) -> Iterator[Topic]:
    """The topics of a file, white space in their texts made single.

    Raises:
        InputError: it is not UTF-8, or a topic does not end, or has no id or no text.
    """
    text = "\n".join(text_of(line, shown) for line in read_lines(path, shown))
    for opening in _OPENING.finditer(text):
        location = Location(shown, text.count("\n", 0, opening.start()) + 1)
        tag = opening[1].lower()
        closing = _CLOSING[tag].search(text, opening.end())
        block = text[opening.end() : closing.start()] if closing else ""
        if closing is None or _OPENING.search(block):
            raise InputError(
                "a topic that does not end", location=location, hint=f"it ends with </{tag}>"
            )
        query_id, query = _parts(block, tag)
        if not query_id or not query:
            raise InputError(
                f"a topic without {'text' if query_id else 'id'}",
                location=location,
                hint="a topic has <num> and <title>, or <DOCNO> and a text after it",
            )
        yield location, query_id, query


def _parts(block: str, tag: str) -> tuple[str, str]:
    if tag == "doc":
        found = _DOCUMENT.search(block)
        return (found[1], " ".join(found[2].split())) if found else ("", "")
    number, title = _NUMBER.search(block), _TITLE.search(block)
    return number[1] if number else "", " ".join(title[1].split()) if title else ""
