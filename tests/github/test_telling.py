"""A baseline nobody renewed shows its age."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ragguard.comparison.compare import compare
from ragguard.gate.judge import judge
from ragguard.github.telling import _age
from ragguard.render.comment_context import CommentContext
from ragguard.render.diff_markdown import render_comment
from tests.made_reports import made_report, made_result


@pytest.mark.parametrize(
    ("elapsed", "told"),
    [
        (timedelta(seconds=-5), "less than a minute"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(seconds=119), "a minute"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(days=400), "400 days"),
    ],
)
def test_an_age_is_told_in_the_largest_unit_that_fits_twice(elapsed: timedelta, told: str) -> None:
    """A clock that runs behind makes nothing of negative age."""
    assert _age(elapsed) == told


def test_the_comment_says_how_old_its_baseline_is_and_where_it_came_from() -> None:
    """A committed report of last year is seen to be one."""
    base = made_report([made_result("q1", "gold")], commit="a" * 40)
    head = made_report([made_result("q1", "gold")], commit="b" * 40)
    comparison = compare(base, head, scoring_from="base")
    context = CommentContext(base_age=_age(timedelta(days=400)), baseline="a file in git")
    comment = render_comment(judge(comparison), context, comparison=comparison)
    assert "base `aaaaaaaaa` (400 days old) from a file in git" in comment
