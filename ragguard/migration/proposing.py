"""A mapping proposed from two manifests, for a person to review: nothing of it is applied.

An id is proposed where the new corpus has a chunk of equal content, else by the share of the old
text, in runs of three words, that stands in the new one. Whatever is doubtful stays undecided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ragguard.corpus.chunk import Chunk
from ragguard.corpus.manifest import Manifest
from ragguard.migration.likeness import runs, share

LEAST = 0.5
"""Share of the old text from which a new chunk is proposed."""
MARGIN = 0.2
"""By how much the best share must exceed the next."""
INSIDE = 0.8
"""Share of a new chunk that stands in the old one, from which it is a piece of it."""
_MOST_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class Proposal:
    """What may have become of one id.

    Attributes:
        new: the ids proposed; empty when nothing can be decided.
        confidence: share of the old text that they hold, in [0, 1]; None without ids.
        reason: why they are proposed, or why nothing is.
        candidates: what a person may choose from when nothing is proposed, with their shares.
    """

    old: str
    new: tuple[str, ...]
    confidence: float | None
    reason: str
    candidates: tuple[tuple[str, float], ...] = ()


@dataclass(slots=True)
class _Likeness:
    """A new chunk that holds some of an old one's text.

    Attributes:
        held: the runs of the old text that it holds.
        inside: the share of its own runs that stand in the old text.
    """

    chunk: Chunk
    held: frozenset[int]
    inside: float


@dataclass(slots=True)
class _Sought:
    """A labelled chunk of the old corpus, and what the new one has for it."""

    chunk: Chunk
    runs: frozenset[int]
    equal: list[Chunk] = field(default_factory=list)
    alike: list[_Likeness] = field(default_factory=list)
    is_unchanged: bool = False


def propose(labels: Collection[str], before: Manifest, after: Manifest) -> list[Proposal]:
    """Proposals for the labels that the new corpus lacks, or has with another text, by id.

    Memory grows with the labels and their texts, not with the corpora.

    Raises:
        InputError: a manifest cannot be read.
    """
    sought: dict[str, _Sought] = {}
    for chunk in before.iter_chunks(with_text=True):
        if chunk.chunk_id in labels and chunk.chunk_id not in sought:
            sought[chunk.chunk_id] = _Sought(chunk, runs(chunk.text or ""))
    known = _find(sought, frozenset(labels), after)
    proposals = [_decided(each) for each in sought.values() if not each.is_unchanged]
    nowhere = set(labels) - sought.keys() - known
    proposals += [Proposal(each, (), None, "in no manifest") for each in nowhere]
    return sorted(proposals, key=lambda each: each.old)


def _find(sought: dict[str, _Sought], labels: frozenset[str], after: Manifest) -> set[str]:
    """Look the new corpus through once; the labels that it has."""
    by_digest: dict[str, list[_Sought]] = defaultdict(list)
    by_run: dict[int, list[_Sought]] = defaultdict(list)
    for each in sought.values():
        if each.chunk.digest is not None:
            by_digest[each.chunk.digest].append(each)
        for run in each.runs:
            by_run[run].append(each)
    known = set()
    for chunk in after.iter_chunks(with_text=True):
        if chunk.chunk_id in labels:
            known.add(chunk.chunk_id)
        same = sought.get(chunk.chunk_id)
        if same is not None and chunk.digest in {None, same.chunk.digest}:
            same.is_unchanged = True
        for each in by_digest.get(chunk.digest or "", ()):
            each.equal.append(chunk)
        _note_alike(chunk, by_run)
    return known


def _note_alike(chunk: Chunk, by_run: dict[int, list[_Sought]]) -> None:
    written = runs(chunk.text or "")
    alike = {each.chunk.chunk_id: each for run in written for each in by_run.get(run, ())}
    for each in alike.values():
        held = written & each.runs
        each.alike.append(_Likeness(chunk, held, len(held) / len(written)))


def _decided(sought: _Sought) -> Proposal:
    old = sought.chunk
    if sought.equal:
        near = _within(old, sought.equal)
        return _checked(old, near, 1.0, "equal content", [(each, 1.0) for each in near])
    inner = [each for each in sought.alike if each.chunk.parent_id == old.parent_id]
    for pool, reason in ((inner, "text, same document"), (sought.alike, "text")):
        shares = [(each.chunk, share(each.held, sought.runs)) for each in pool]
        chosen, confidence = _chosen(pool, sought.runs)
        if chosen:
            return _checked(old, chosen, confidence, reason, shares)
    candidates = [(each.chunk, share(each.held, sought.runs)) for each in sought.alike]
    reason = "several may be meant" if candidates else "nothing like it"
    if not sought.runs:
        reason = "its text is not known"
    return _undecided(old, reason, candidates)


def _chosen(pool: list[_Likeness], wanted: frozenset[int]) -> tuple[list[Chunk], float]:
    """The one chunk that holds the text, or the pieces it was cut into; none when in doubt."""
    ranked = sorted(pool, key=lambda each: -len(each.held))
    shares = [share(each.held, wanted) for each in ranked[:2]] + [0.0, 0.0]
    if shares[0] >= LEAST and shares[0] - shares[1] >= MARGIN:
        pieces = [each for each in pool if each.inside >= INSIDE]
        if not (len(pieces) > 1 and ranked[0] in pieces):
            return [ranked[0].chunk], shares[0]
    pieces = [each for each in pool if each.inside >= INSIDE]
    together: frozenset[int] = frozenset().union(*(each.held for each in pieces))
    apart = sum(len(each.held) for each in pieces)
    # Pieces part a text; chunks that repeat it are rivals.
    if len(pieces) > 1 and share(together, wanted) >= INSIDE and apart <= 1.5 * len(together):
        return [each.chunk for each in pieces], share(together, wanted)
    return [], 0.0


def _within(old: Chunk, found: list[Chunk]) -> list[Chunk]:
    """Of chunks those of the same document; all of them when there is none."""
    return [each for each in found if each.parent_id == old.parent_id] or found


def _checked(
    old: Chunk,
    new: list[Chunk],
    confidence: float,
    reason: str,
    candidates: list[tuple[Chunk, float]],
) -> Proposal:
    """The proposal, unless it needs a person: equal ones to choose from, or another access."""
    if any(set(each.access) != set(old.access) for each in new):
        return _undecided(old, "others may see it", candidates)
    if reason == "equal content" and len(new) > 1:
        return _undecided(old, "several of equal content", candidates)
    return Proposal(old.chunk_id, tuple(each.chunk_id for each in new), confidence, reason)


def _undecided(old: Chunk, reason: str, candidates: list[tuple[Chunk, float]]) -> Proposal:
    best = sorted(candidates, key=lambda each: (-each[1], each[0].chunk_id))[:_MOST_CANDIDATES]
    named = tuple((chunk.chunk_id, value) for chunk, value in best)
    return Proposal(old.chunk_id, (), None, reason, named)


def table(proposals: Collection[Proposal]) -> Iterator[tuple[str, ...]]:
    """The proposals as rows of a mapping, its header first; what is undecided says `?`."""
    from ragguard.migration.label_map import NEW, OLD, SEPARATOR, UNDECIDED

    yield OLD, NEW, "confidence", "reason", "candidates"
    for each in proposals:
        sayable = not any(SEPARATOR in new or new == UNDECIDED for new in each.new)
        new = SEPARATOR.join(each.new) if each.new and sayable else UNDECIDED
        confidence = "" if each.confidence is None else f"{each.confidence:.2f}"
        listed = each.candidates if sayable else tuple((new, 1.0) for new in each.new)
        candidates = " ".join(f"{chunk_id} ({value:.2f})" for chunk_id, value in listed)
        yield each.old, new, confidence, each.reason, candidates
