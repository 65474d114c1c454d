"""The ids alone of a manifest in JSON Lines, by the block."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import msgspec

from ragguard.corpus.bulk import Id, Rows

_other = attrgetter("other")


class IdDecoder:
    """Decodes the ids of a manifest's blocks, and passes over what else is in them."""

    def __init__(self) -> None:
        optional = [("other", Any, None)]
        self._decoders = {
            name: msgspec.json.Decoder(
                msgspec.defstruct(
                    "Row",
                    [("id", Id), *(optional if name == "_id" else [])],
                    rename={"id": name, "other": "id"},
                    gc=False,
                )
            )
            for name in ("id", "_id")
        }

    def rows(self, block: bytes, lines: int) -> Rows | None:
        """As `BulkDecoder.rows`, with ids only."""
        try:
            first = msgspec.json.decode(block[: block.index(b"\n")])
            name = "id" if "id" in first else "_id"
            rows = self._decoders[name].decode_lines(block)
        except (msgspec.MsgspecError, RecursionError, TypeError):
            return None
        if len(rows) != lines or (name == "_id" and any(map(_other, rows))):
            return None
        return Rows(rows, frozenset({"id"}))
