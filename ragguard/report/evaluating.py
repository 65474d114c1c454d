"""From a configuration to a report: every suite loaded, asked, scored and described."""

from __future__ import annotations

import platform
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

import ragguard
from ragguard.config.mapping import scoring_to_mapping
from ragguard.config.model import Config, Suite
from ragguard.corpus.manifest import open_manifest
from ragguard.dataset.loading import Dataset, DoubtfulLineError, load_suite
from ragguard.dataset.query import Query
from ragguard.errors import InputError, UsageError
from ragguard.evaluation.result import QueryResult
from ragguard.evaluation.runner import SuiteOutcome
from ragguard.git import commit_of
from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.plain.sound_line import sound_line
from ragguard.report.asking import AskedSuite, Progress, evaluate_suites, no_progress
from ragguard.report.fingerprint import dataset_digest, digest, file_digest, labels_digest
from ragguard.report.model import Commits, Fingerprints, Report, SuiteRun, Timing


class FaultyDatasetError(InputError):
    """A dataset with rows that cannot be read or told apart.

    Attributes:
        diagnostics: the findings, at least one.
    """

    def __init__(self, suite: str, diagnostics: Iterable[Diagnostic]) -> None:
        """Keep the findings; the message shows each with its place."""
        self.diagnostics = tuple(diagnostics)
        lines = "\n".join(
            f"  {found.location}: {found.code} {found.message}" for found in self.diagnostics[:20]
        )
        more = len(self.diagnostics) - 20
        super().__init__(
            f"suite {suite!r} cannot be evaluated: {len(self.diagnostics)} findings\n{lines}"
            + (f"\n  and {more} more" if more > 0 else ""),
            hint="`ragguard lint` explains them; `ragguard lint --fix` mends what is safe to mend",
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a configuration is evaluated.

    Attributes:
        suites: names of suites; empty means all.
        query_ids: ids of queries; empty means all. With any, the report is partial.
    """

    suites: tuple[str, ...] = ()
    query_ids: tuple[str, ...] = ()


def evaluate_config(
    config: Config,
    selection: Selection = Selection(),
    *,
    commits: Commits | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Evaluate the suites of a configuration.

    Args:
        config: the configuration.
        selection: which suites and queries.
        commits: what the run stands for; None asks git.
        progress: told of every suite and query.

    Raises:
        UsageError: a suite or query asked for does not exist.
        FaultyDatasetError: a dataset has rows that cannot be read or told apart.
        InputError, ConfigError: as reading and opening say; no query was asked.
        RetrieverError: no suite has a retriever that starts.
    """
    started, clock = datetime.now(UTC), time.perf_counter()
    suites = _selected_suites(config, selection.suites)
    datasets = {name: _load(suite, config) for name, suite in suites.items()}
    chosen = _selected_queries(datasets, selection.query_ids)
    asked = [
        AskedSuite(suites[name], config.root, queries, _query_ids(datasets[name]))
        for name, queries in chosen.items()
    ]
    outcomes = evaluate_suites(asked, progress)
    return Report(
        suites={
            name: _suite_run(suites[name], config.root, datasets[name], outcome)
            for name, outcome in outcomes.items()
        },
        results={name: outcome.results for name, outcome in outcomes.items()},
        commits=commits or _commits(config.root),
        partial=bool(selection.query_ids),
        environment=_environment(),
        timing=Timing(
            started.isoformat(timespec="seconds"),
            round(time.perf_counter() - clock, 3),
            {name: _latencies(outcome.results) for name, outcome in outcomes.items()},
        ),
    )


def _selected_suites(config: Config, names: Collection[str]) -> dict[str, Suite]:
    for name in names:
        if name not in config.suites:
            raise UsageError(f"no suite {name!r}; there are {', '.join(config.suites)}")
    return {name: suite for name, suite in config.suites.items() if not names or name in names}


def _load(suite: Suite, config: Config) -> Dataset:
    """The dataset in one reading when it is in order; else with the linter's word on it."""
    try:
        return load_suite(suite, config.root, sound_line(suite))
    except DoubtfulLineError:
        # Only a doubtful dataset pays for the rules, and for importing them.
        from ragguard.lint.engine import blocking_diagnostics
    faults = blocking_diagnostics(suite, config)
    if faults:
        raise FaultyDatasetError(suite.name, faults)
    return load_suite(suite, config.root)


def _selected_queries(
    datasets: Mapping[str, Dataset], query_ids: Sequence[str]
) -> dict[str, tuple[Query, ...]]:
    known = frozenset().union(*map(_query_ids, datasets.values()))
    for query_id in query_ids:
        if query_id not in known:
            near = get_close_matches(query_id, known, n=3)
            hint = f"did you mean {', '.join(near)}?" if near else None
            raise UsageError(f"no query {query_id!r} in these suites", hint=hint)
    chosen = {
        name: tuple(q for q in dataset.queries if not query_ids or q.query_id in query_ids)
        for name, dataset in datasets.items()
    }
    return {name: queries for name, queries in chosen.items() if queries or not query_ids}


def _query_ids(dataset: Dataset) -> frozenset[str]:
    return frozenset(query.query_id for query in dataset.queries)


def _suite_run(suite: Suite, root: Path, dataset: Dataset, outcome: SuiteOutcome) -> SuiteRun:
    settings = suite.retriever
    manifest = open_manifest(root / suite.corpus) if suite.corpus else None
    configured = {
        **scoring_to_mapping(suite.scoring),
        "fields": dict(suite.fields),
        "unlabelled": suite.unlabelled,
        "retriever": [settings.kind, settings.target, dict(settings.options)] if settings else None,
    }
    return SuiteRun(
        name=suite.name,
        scoring=suite.scoring,
        fingerprints=Fingerprints(
            dataset=dataset_digest(dataset.queries),
            labels=labels_digest(dataset.queries),
            manifest=file_digest(manifest.path) if manifest else None,
            configuration=digest(configured),
        ),
        dataset_version=dataset.dataset_version,
        corpus_version=dataset.corpus_version or (manifest.corpus_version if manifest else None),
        retriever=outcome.retriever,
        worker=outcome.worker,
        warnings=outcome.warnings,
    )


def _commits(root: Path) -> Commits:
    commit = commit_of(root)
    return Commits(evaluated=commit, head=commit)


def _environment() -> dict[str, str]:
    return {
        "ragguard": ragguard.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()}-{platform.machine()}",
    }


def _latencies(results: Iterable[QueryResult]) -> dict[str, float]:
    return {
        result.query.query_id: round(result.latency_ms, 3)
        for result in results
        if result.latency_ms is not None
    }
