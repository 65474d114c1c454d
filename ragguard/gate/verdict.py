"""The verdict as a value: the outcome, and every reason for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ragguard.errors import ExitCode


class Outcome(StrEnum):
    """What is decided."""

    PASSED = "passed"
    FAILED = "failed"
    NO_BASELINE = "no-baseline"
    NOT_COMPARABLE = "not-comparable"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class Reason:
    """One gate that failed.

    Attributes:
        gate: its name (`recall@5.max_drop`, `critical`, `loosened-gate` …).
        query_id: the query it is about, for a gate of single queries.
        query_ids: the queries that moved a mean, worst first.
        base, head, limit: the values compared, where there are numbers.
        slice: `field=value` for a slice gate.
    """

    gate: str
    suite: str
    message: str
    query_id: str | None = None
    query_ids: tuple[str, ...] = ()
    base: float | None = None
    head: float | None = None
    limit: float | None = None
    slice: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on one run.

    Attributes:
        reasons: gates that failed and were not accepted.
        accepted: gates that failed and were accepted by somebody; shown all the same.
        notes: what a reader should know though it decides nothing.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...] = ()
    accepted: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """0 passed, 1 failed (also without a baseline), 3 when there is no verdict."""
        if self.outcome in {Outcome.NOT_COMPARABLE, Outcome.INCOMPLETE}:
            return ExitCode.NO_VERDICT
        failed = self.outcome is Outcome.FAILED or bool(self.reasons)
        return ExitCode.FAILED if failed else ExitCode.PASSED
