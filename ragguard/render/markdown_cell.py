"""The one place where foreign text becomes Markdown that stays inside its cell.

GitHub renders Markdown, then looks for `@name`, `#123` and `GH-123` in the rendered text, so that
neither backslashes nor entities hide them; a zero-width space does. Structure (pipes, backticks,
HTML, links, images) is defused by entities, which CommonMark never reads as structure.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from ragguard.render.visible import visible

TEXT_LIMIT = 80
ID_LIMIT = 100

_BREAK = "&#8203;"
_MARKUP = re.compile(
    r"""
      [&<>`*\[\]\#|\\~$]
    | ^[-+=]                                   # a list or a heading, at the beginning only
    | (?<![A-Za-z0-9])_ | _(?![A-Za-z0-9])     # emphasis; within a word it is none
    | (?<![a-z0-9])@ | @(?![0-9]{1,4}(?![\w.-])) # a name or an address; recall@5 is neither
    """,
    re.VERBOSE,
)
_AUTOLINK = re.compile(r"://|(?<![A-Za-z0-9])www\.|(?<![A-Za-z0-9])GH(?=-[0-9])", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^([0-9]{1,9})\.")
_EMOJI = re.compile(r":(?=[A-Za-z0-9_+-]+:)")
_PLAIN_ID = re.compile(r"[^`|\\<>]+")


def cell(text: str, limit: int | None = TEXT_LIMIT) -> str:
    """Foreign text as inline Markdown: shown as it is, formats nothing, notifies nobody."""
    line = visible(text, limit)
    line = _AUTOLINK.sub(lambda match: _split(match[0]), line)
    line = _EMOJI.sub(":\u2060", line)
    # Entities last: they must not be escaped themselves, and the breaks must.
    escaped = _MARKUP.sub(_entity, line)
    return _LIST_NUMBER.sub(r"\1&#46;", escaped).replace("\u2060", _BREAK)


def _split(found: str) -> str:
    return f"{found[0]}\u2060{found[1:]}"


def _entity(match: re.Match[str]) -> str:
    character = match[0]
    notifies = character in "@#"
    return f"&#{ord(character)};" + (_BREAK if notifies else "")


def code(text: str, limit: int | None = ID_LIMIT) -> str:
    """Foreign text, an id or a commit, as inline code that can be copied.

    A code span where nothing in the text could end it or the cell; else HTML around escaped text.
    """
    line = visible(text, limit)
    if _PLAIN_ID.fullmatch(line):
        return f"`{line}`"
    return f"<code>{cell(line, None)}</code>" if line else "(empty)"


def link(label: str, url: str | None) -> str:
    """A Markdown link around an already escaped label; the label alone without a usable URL."""
    if url is None or not re.match(r"https?://", url):
        return label
    return f"[{label}]({quote(url, safe=':/?#@!&=+,;%~._-')})"
