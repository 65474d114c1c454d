"""What a comment needs to know beyond the comparison; the caller fills it, rendering stays pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ragguard.location import Location

COMMENT_LIMIT = 65_536
"""GitHub's limit of a comment, in UTF-16 code units to be on the safe side."""


@dataclass(frozen=True, slots=True)
class CommentContext:
    """Settings of a comment and what only its caller can know.

    Attributes:
        queries: whether texts of queries are `shown` or `hidden` behind their ids.
        max_rows: rows of a table before the rest is counted only.
        limit: longest comment; leave room for whatever is put before it.
        report_url: where the full report is.
        line_url: address of a dataset line, None where it has none.
        base_age: age of the baseline in words, as `3 hours`.
        baseline: where the baseline came from, in words.
        acknowledge_label: label by which the listed losses can be accepted.
        what_to_do: sentences for the reader when there is no verdict or no baseline.
        notes: further sentences that belong into the comment.
        reproduce: the command that shows the same at a terminal.
    """

    queries: Literal["shown", "hidden"] = "shown"
    max_rows: int = 50
    limit: int = COMMENT_LIMIT
    report_url: str | None = None
    line_url: Callable[[Location], str | None] | None = None
    base_age: str | None = None
    baseline: str | None = None
    acknowledge_label: str | None = None
    what_to_do: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reproduce: str | None = None
