"""Every query of a report that lacks evidence, with what came back instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragguard.comparison.movement import Movement, missing_evidence, ranks_of
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status

MOST_INSTEAD = 5


@dataclass(frozen=True, slots=True)
class Miss:
    """A scored query whose evidence is not all within the primary's cutoff.

    Attributes:
        value: the primary metric.
        missing: for each unsatisfied group its best member; its rank in `head_rank`.
        instead: what stands within the cutoff and is not relevant, best first; a judged
            distractor is said to be one.
    """

    result: QueryResult
    value: float | None
    missing: tuple[Movement, ...]
    instead: tuple[str, ...]


def misses(results: Sequence[QueryResult], scoring: Scoring) -> Iterator[Miss]:
    """The misses of a suite in dataset order; failed and unanswerable queries are none."""
    threshold = scoring.policy.relevance_threshold
    cutoff = scoring.primary_rank
    for result in results:
        if result.status is not Status.OK or not result.query.answerable:
            continue
        missing = missing_evidence(None, result, cutoff, threshold)
        if missing:
            value = result.metrics.get(str(scoring.primary))
            yield Miss(result, value, missing, tuple(_instead(result, cutoff, threshold)))


def _instead(result: QueryResult, cutoff: int, threshold: int) -> Iterator[str]:
    grades = result.query.labels.grades(threshold)
    shown = [
        f"{chunk_id} (judged {grades[chunk_id]})" if chunk_id in grades else chunk_id
        for chunk_id, rank in ranks_of(result).items()
        if rank <= cutoff and grades.get(chunk_id, threshold - 1) < threshold
    ]
    yield from shown[:MOST_INSTEAD]
    if len(shown) > MOST_INSTEAD:
        yield f"and {len(shown) - MOST_INSTEAD} more"


def stands(movement: Movement) -> str:
    """Where a missing chunk stands: `rank 14`, `lost at reranked`, `not retrieved`."""
    if movement.head_rank is not None:
        return f"rank {movement.head_rank}"
    return f"lost at {movement.lost_at}" if movement.lost_at else "not retrieved"
