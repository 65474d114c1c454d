"""One chunk of a corpus, as its manifest lists it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable unit of the corpus.

    Attributes:
        chunk_id: its id, compared byte for byte.
        parent_id: the document it was cut from.
        sha256: hex digest of its text in UTF-8.
        status: `active`, `superseded` or `withdrawn`.
        superseded_by: id of the chunk that replaced it.
        effective_from, effective_to: ISO dates (inclusive) between which it holds.
        access: whoever shares none of these may not see it; empty means everybody may.
        text: its text, when the manifest carries texts.
    """

    chunk_id: str
    parent_id: str | None = None
    sha256: str | None = None
    status: str = "active"
    superseded_by: str | None = None
    effective_from: str | None = None
    effective_to: str | None = None
    access: tuple[str, ...] = ()
    text: str | None = None
