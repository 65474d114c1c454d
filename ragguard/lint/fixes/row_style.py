"""How a row is written, so that what is added to it looks like the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ragguard.dataset.positions import members


@dataclass(frozen=True, slots=True)
class RowStyle:
    """How a row is written.

    Attributes:
        colon, comma: what stands between key and value, and between members.
        is_ascii: whether it escapes what is not ASCII.
    """

    colon: str
    comma: str
    is_ascii: bool

    @classmethod
    def of(cls, text: str) -> RowStyle:
        """The style of its first members."""
        written = members(text, ()) or []
        (key, value), *others = written
        colon = text[key.end : value.start]
        comma = text[value.end : others[0][0].start] if others else "," + colon.partition(":")[2]
        return cls(colon, comma, "\\u" in text and text.isascii())

    def member(self, key: str | int, value: str) -> str:
        """A member of an object; the value is JSON already."""
        return f"{json.dumps(key, ensure_ascii=self.is_ascii)}{self.colon}{value}"

    def entries(self, path: tuple[str | int, ...], digests: Mapping[str, str]) -> str:
        """The object of hashes, in objects for the keys that lead to it."""
        if path:
            return f"{{{self.nested(path, digests)}}}"
        listed = (self.member(chunk_id, f'"{digest}"') for chunk_id, digest in digests.items())
        return f"{{{self.comma.join(listed)}}}"

    def nested(self, path: tuple[str | int, ...], digests: Mapping[str, str]) -> str:
        """The member of an object that leads to the hashes."""
        return self.member(path[0], self.entries(path[1:], digests))
