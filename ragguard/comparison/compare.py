"""Comparing two reports: both scored again from their raw rankings, under one policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum
from typing import Literal

from ragguard.comparison.comparability import changes, report_obstacles, suite_obstacles
from ragguard.comparison.model import (
    Comparison,
    Headline,
    Pair,
    SliceComparison,
    SuiteComparison,
)
from ragguard.comparison.pairing import Pairing, pair
from ragguard.comparison.query_changes import critical_misses, moved, query_changes, rank_falls
from ragguard.comparison.statistics import paired_statistics
from ragguard.config.model import Scoring
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult
from ragguard.evaluation.scoring import metrics_of, score_results
from ragguard.report.model import Report, SuiteRun


def compare(
    base: Report, head: Report, *, scoring_from: Literal["base", "head"] = "head"
) -> Comparison:
    """Compare two reports query by query.

    Args:
        base: the baseline.
        head: what is judged.
        scoring_from: whose policy and gates both are judged by: head's at the terminal, base's
            in a pull request, so that it cannot edit its own bar.
    """
    common = [name for name in head.suites if name in base.suites]
    suites = {name: _compare_suite(name, base, head, scoring_from) for name in common}
    obstacles = list(report_obstacles(base, head))
    for suite in suites.values():
        obstacles += suite_obstacles(suite)
    return Comparison(
        base=base,
        head=head,
        suites=suites,
        only_base=tuple(name for name in base.suites if name not in head.suites),
        only_head=tuple(name for name in head.suites if name not in base.suites),
        changed=tuple(changes(base, head)),
        obstacles=tuple(obstacles),
    )


def _compare_suite(
    name: str, base: Report, head: Report, scoring_from: Literal["base", "head"]
) -> SuiteComparison:
    before, after = base.suites[name], head.suites[name]
    scoring = _one_scoring(before.scoring, after.scoring, scoring_from)
    head_results = score_results(head.results[name], scoring)
    pairing = pair(score_results(base.results[name], scoring), head_results)
    threshold = scoring.policy.relevance_threshold
    relabelled = tuple(
        new.query.query_id for old, new in pairing.paired if _is_relabelled(old, new, threshold)
    )
    rechunked = bool(relabelled) and _corpus(before) != _corpus(after)
    pairs = tuple(_pairs(pairing, frozenset(relabelled), scoring, rechunked=rechunked))
    primary = str(scoring.primary)
    regressions, improvements = query_changes(pairs, scoring)
    regressed = {change.pair.query_id for change in regressions}
    return SuiteComparison(
        name=name,
        scoring=scoring,
        base_scoring=before.scoring,
        head_scoring=after.scoring,
        head_results=head_results,
        pairs=pairs,
        paired=sum(moved(each, primary) is not None for each in pairs),
        rechunked=rechunked,
        headline=_headlines(pairs, scoring),
        added=pairing.added,
        removed=() if head.partial else pairing.removed,
        reworded=pairing.reworded,
        relabelled=relabelled,
        renamed={
            new.query.query_id: old.query.query_id
            for old, new in pairing.paired
            if old.query.query_id != new.query.query_id
        },
        regressions=regressions,
        improvements=improvements,
        rank_falls=tuple(rank_falls(pairs, regressed, threshold)),
        critical_misses=tuple(critical_misses(head_results, pairs, scoring)),
        slices=_slices(head_results, pairs, scoring),
    )


def _one_scoring(base: Scoring, head: Scoring, scoring_from: Literal["base", "head"]) -> Scoring:
    """The chosen side's scoring, no deeper than what both sides kept."""
    chosen = base if scoring_from == "base" else head
    return replace(chosen, depth=min(base.depth, head.depth))


def _labels(query: Query, threshold: int) -> tuple[object, ...]:
    """What a query's labels say, whatever the order they are written in."""
    groups = frozenset(map(frozenset, query.labels.groups(threshold)))
    return query.labels.grades(threshold), groups, query.answerable


def _is_relabelled(base: QueryResult, head: QueryResult, threshold: int) -> bool:
    return _labels(base.query, threshold) != _labels(head.query, threshold)


def _corpus(suite: SuiteRun) -> str | None:
    """By what a corpus is told from another: its version, its digest where it has none."""
    return suite.corpus_version or suite.fingerprints.manifest


def _pairs(
    pairing: Pairing, relabelled: frozenset[str], scoring: Scoring, *, rechunked: bool
) -> Iterator[Pair]:
    """The pairs with each ranking scored under the other side's labels too, where they differ."""
    differing = [pair for pair in pairing.paired if pair[1].query.query_id in relabelled]
    ids = [new.query.query_id for _, new in differing]
    forth = score_results([replace(old, query=new.query) for old, new in differing], scoring)
    back = score_results([replace(new, query=old.query) for old, new in differing], scoring)
    crossed = dict(zip(ids, zip(forth, back, strict=True), strict=True))
    for old, new in pairing.paired:
        base_on_head, head_on_base = crossed.get(new.query.query_id, (old, new))
        yield Pair(old, new, base_on_head, head_on_base, rechunked)


def _headlines(pairs: Sequence[Pair], scoring: Scoring) -> dict[str, Headline]:
    tested = {scoring.primary, *scoring.gates.metrics}
    return {
        str(metric): _headline(pairs, str(metric), tested=metric in tested)
        for metric in metrics_of(scoring)
    }


def _headline(pairs: Iterable[Pair], metric: str, *, tested: bool) -> Headline:
    usable = [(each, move) for each in pairs if (move := moved(each, metric)) is not None]
    return Headline(
        count=len(usable),
        base=_mean(each.base.metrics[metric] for each, _ in usable),
        head=_mean(each.head.metrics[metric] for each, _ in usable),
        delta=_mean(each.total(metric) for each, _ in usable),
        retriever_effect=_mean(each.retriever_effect(metric) for each, _ in usable),
        label_effect=_mean(each.label_effect(metric) for each, _ in usable),
        moved=_mean(move for _, move in usable),
        statistics=paired_statistics([move for _, move in usable]) if tested else None,
    )


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return fsum(defined) / len(defined) if defined else None


def _slices(
    head: Sequence[QueryResult], pairs: Sequence[Pair], scoring: Scoring
) -> dict[str, Mapping[str, Mapping[str, SliceComparison]]]:
    paths = dict.fromkeys([*scoring.slices, *scoring.gates.slices])
    return {path: _slice_values(path, head, pairs, scoring) for path in paths}


def _slice_values(
    path: str, head: Sequence[QueryResult], pairs: Sequence[Pair], scoring: Scoring
) -> dict[str, Mapping[str, SliceComparison]]:
    metrics = dict.fromkeys([scoring.primary, *scoring.gates.slices.get(path, ())])
    values = {result.query.slice_value(path) for result in head} - {None}
    return {
        value: {
            str(metric): _slice(
                [result for result in head if result.query.slice_value(path) == value],
                [each for each in pairs if each.head.query.slice_value(path) == value],
                str(metric),
            )
            for metric in metrics
        }
        for value in sorted(value for value in values if value is not None)
    }


def _slice(head: Sequence[QueryResult], pairs: Sequence[Pair], metric: str) -> SliceComparison:
    usable = tuple(each for each in pairs if moved(each, metric) is not None)
    scored = [value for r in head if (value := r.metrics.get(metric)) is not None]
    return SliceComparison(
        count=len(scored),
        paired=len(usable),
        head=_mean(scored),
        base=_mean(each.before(metric) for each in usable),
        moved=_mean(each.moved(metric) for each in usable),
        pairs=usable,
    )
