"""A report as a value: what one evaluation wrote, whole enough to be scored again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult

REPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """SHA-256 digests in hex by which two evaluations tell what differs between them.

    Attributes:
        dataset: over all rows, independent of their order and of the files they stand in.
        labels: over the labels alone, by query id.
        manifest: over the bytes of the manifest; None without one.
        configuration: over the suite as configured.
    """

    dataset: str
    labels: str
    manifest: str | None
    configuration: str


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite of a run: how it was configured, and what it was run on.

    Attributes:
        retriever: kind, target and, where it says so, name of the retriever.
        worker: what the retriever's process tells of itself (`system`, Python, platform).
        warnings: what is odd about the run as a whole, in words.
    """

    name: str
    scoring: Scoring
    fingerprints: Fingerprints
    dataset_version: str | None = None
    corpus_version: str | None = None
    retriever: Mapping[str, Any] = field(default_factory=dict)
    worker: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Commits:
    """The git commits a run stands for; all None outside git.

    Attributes:
        evaluated: the commit that was checked out.
        head: head of the pull request (in Actions the evaluated commit is its merge).
        base: the commit it is to be compared with.
    """

    evaluated: str | None = None
    head: str | None = None
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """When a run was made and how long it took; the only place where times stand.

    Attributes:
        started: ISO 8601, UTC.
        seconds: duration of the whole run.
        latency_ms: milliseconds by suite, then by query id.
    """

    started: str
    seconds: float
    latency_ms: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """What one evaluation wrote.

    Attributes:
        suites: the suites by name, in the order of the configuration.
        results: by suite name, queries in dataset order.
        partial: whether only a part of the queries was asked; such a report is no baseline.
        shard: `I/N` of an unmerged shard.
        environment: platform, Python and ragguard versions.
        timing: None in a report written without times.
    """

    suites: Mapping[str, SuiteRun]
    results: Mapping[str, tuple[QueryResult, ...]]
    commits: Commits = field(default_factory=Commits)
    partial: bool = False
    shard: str | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)
    timing: Timing | None = None
