"""What differs between two reports besides the rankings, and what forbids a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ragguard.comparison.model import Change, Obstacle, SuiteComparison
from ragguard.config.mapping import scoring_to_mapping
from ragguard.evaluation.scoring import metrics_of
from ragguard.metrics.means import TOLERANCE
from ragguard.report.model import Report, SuiteRun


def changes(base: Report, head: Report) -> Iterator[Change]:
    """Everything that differs: settings, versions, fingerprints, the retriever, the environment."""
    for name in (name for name in head.suites if name in base.suites):
        for what, before, after in _differing(_facts(base.suites[name]), _facts(head.suites[name])):
            yield Change(what, before, after, suite=name)
    for what, before, after in _differing(base.environment, head.environment):
        yield Change(f"environment.{what}", before, after)


def _facts(suite: SuiteRun) -> dict[str, Any]:
    scoring = scoring_to_mapping(suite.scoring)
    system = scoring.pop("system")
    return {
        "dataset": suite.fingerprints.dataset,
        "labels": suite.fingerprints.labels,
        "manifest": suite.fingerprints.manifest,
        "dataset_version": suite.dataset_version,
        "corpus_version": suite.corpus_version,
        **scoring,
        **{f"system.{key}": value for key, value in system.items()},
        **{f"retriever.{key}": value for key, value in suite.retriever.items()},
        **{f"worker.{key}": value for key, value in suite.worker.items()},
    }


def _differing(base: Mapping[str, Any], head: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key in dict.fromkeys([*base, *head]):
        if base.get(key) != head.get(key):
            yield key, base.get(key), head.get(key)


def report_obstacles(base: Report, head: Report) -> Iterator[Obstacle]:
    """What makes the base no baseline at all."""
    if base.shard or head.shard:
        side = "base" if base.shard else "head"
        message = f"{side} is one shard of a run ({base.shard or head.shard}); merge the shards"
        yield Obstacle(None, "shard", message)
    elif base.partial:
        message = "base asked only a part of the queries; a partial report is no baseline"
        yield Obstacle(None, "partial", message)
    if not base.suites.keys() & head.suites.keys():
        message = (
            f"the reports have no suite in common: base has {', '.join(base.suites)}; "
            f"head has {', '.join(head.suites)}"
        )
        yield Obstacle(None, "suites", message)


def suite_obstacles(suite: SuiteComparison) -> Iterator[Obstacle]:
    """What forbids a verdict on one suite: rankings kept too short, too few paired queries."""
    deepest = max(metric.cutoff or 0 for metric in metrics_of(suite.scoring))
    for side, depth in (("base", suite.base_scoring.depth), ("head", suite.head_scoring.depth)):
        if depth < deepest:
            message = f"{side} kept {depth} results of each ranking, but @{deepest} is asked for"
            yield Obstacle(suite.name, "depth", message)
    if not suite.head_results:
        yield Obstacle(suite.name, "queries", "head has no query at all")
    scored = sum(result.is_scored for result in suite.head_results)
    share = suite.scoring.gates.min_paired
    if suite.paired < share * scored - TOLERANCE or (suite.paired == 0 and scored > 0):
        message = (
            f"only {suite.paired} of head's {scored} scored queries can be paired with base; "
            f"a verdict wants {share:.0%} of them"
        )
        yield Obstacle(suite.name, "min_paired", message)
