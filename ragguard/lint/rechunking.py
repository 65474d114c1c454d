"""Whether labels are those of another cutting of the corpus, told by how many of them dangle."""

from __future__ import annotations

from ragguard.lint.suite.facts import SuiteFacts

FEWEST_LABELS = 10
"""Distinct labels below which each unknown one is told: a few slips are most of a few labels."""

_CODE = "RG307"


def is_rechunked(facts: SuiteFacts) -> bool:
    """Whether more than half of the distinct labels, at least ten of them, are unknown.

    Never when the rule that says so does not run: then each label is told.
    """
    if facts.view is None or _CODE not in facts.codes:
        return False
    return len(facts.labels) >= FEWEST_LABELS and 2 * len(facts.view.missing) > len(facts.labels)
