"""How a suite is scored: the choices without which a number means nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Policy:
    """The scoring conventions of a suite, kept in every report.

    Attributes:
        relevance_threshold: grades from here up are relevant to binary measures.
        precision_denominator: `k` divides by the cutoff (trec_eval), `returned` by what came back.
        duplicates: `collapse` removes later copies before ranks are counted; `error` makes the
            answer invalid.
        access_from: dotted path in a row to the list of roles the query is asked with.
    """

    relevance_threshold: int = 1
    precision_denominator: Literal["k", "returned"] = "k"
    duplicates: Literal["collapse", "error"] = "collapse"
    access_from: str = "context.roles"
