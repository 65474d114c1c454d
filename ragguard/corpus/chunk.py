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
        title, text: the title of its document and its own text, when the manifest carries texts
            and they were asked for.
    """

    chunk_id: str
    parent_id: str | None = None
    sha256: str | None = None
    status: str = "active"
    superseded_by: str | None = None
    effective_from: str | None = None
    effective_to: str | None = None
    access: tuple[str, ...] = ()
    title: str | None = None
    text: str | None = None

    @property
    def full_text(self) -> str | None:
        """Its text under its title, as a search finds it; None when it has no text."""
        return f"{self.title}\n{self.text}" if self.title and self.text is not None else self.text

    @property
    def is_notable(self) -> bool:
        """Whether there is more to say of it than that it is there and holds."""
        return bool(
            self.status != "active"
            or self.superseded_by
            or self.effective_from
            or self.effective_to
        )

    @property
    def digest(self) -> str | None:
        """Hex SHA-256 of its text in UTF-8: as the manifest gives it, else of the text itself."""
        if self.sha256:
            return self.sha256.lower()
        if self.text is None:
            return None
        import hashlib  # takes a while to load, and few manifests give texts without hashes

        return hashlib.sha256(self.text.encode()).hexdigest()


NumberedChunk = tuple[int, Chunk]
"""A chunk and the line it stands on."""
