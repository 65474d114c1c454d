"""What a manifest says, in a few numbers: to tell whether two say the same."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from ragguard.corpus.chunk import Chunk
from ragguard.corpus.manifest import Manifest

_BYTES = 16


@dataclass(frozen=True, slots=True)
class ManifestContent:
    """The chunks of a manifest, whatever their order and the form they are written in.

    Attributes:
        count: how many there are.
        facts: sum of the digests of what it says of each but its text.
        texts: sum of the digests of their texts, None when it knows none.
    """

    count: int
    facts: int
    texts: int | None

    def differs_from(self, other: ManifestContent) -> bool:
        """Whether two say different things; texts count where both know them."""
        if (self.count, self.facts) != (other.count, other.facts):
            return True
        return None not in (self.texts, other.texts) and self.texts != other.texts


def content_of(manifest: Manifest) -> ManifestContent:
    """The content of a manifest in one pass; memory for one chunk.

    Raises:
        InputError: as `Manifest.iter_chunks`.
    """
    count = facts = texts = 0
    knows_texts = False
    for chunk in manifest.iter_chunks(with_text=True):
        count += 1
        facts += _digest(*_facts(chunk))
        if chunk.digest:
            knows_texts = True
            texts += _digest(chunk.chunk_id, chunk.digest)
    return ManifestContent(count, facts, texts if knows_texts else None)


def _facts(chunk: Chunk) -> tuple[object, ...]:
    return (
        chunk.chunk_id,
        chunk.parent_id,
        chunk.status,
        chunk.superseded_by,
        chunk.effective_from,
        chunk.effective_to,
        sorted(chunk.access),
    )


def _digest(*values: object) -> int:
    text = json.dumps(values).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=_BYTES).digest())
