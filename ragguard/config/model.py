"""The configuration as values: suites, their retrievers, and the settings of lint and comment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ragguard.config.environment import EnvironmentReference
from ragguard.config.gates import Gates
from ragguard.config.policy import Policy
from ragguard.metrics.name import Metric

DEFAULT_CUTOFFS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class Scoring:
    """Everything that decides a suite's numbers and verdict; kept whole in the report.

    Attributes:
        cutoffs: ranks at which the measures look, ascending.
        depth: how many results of each ranking are kept.
        primary: the metric by which queries count as regressed or improved.
        slices: dotted paths of the row fields by which means are split.
        system: what the team says of its retriever; recorded and compared, never interpreted.
    """

    primary: Metric
    cutoffs: tuple[int, ...] = DEFAULT_CUTOFFS
    depth: int = 20
    policy: Policy = field(default_factory=Policy)
    slices: tuple[str, ...] = ("category",)
    system: Mapping[str, Any] = field(default_factory=dict)
    gates: Gates = field(default_factory=Gates)

    @property
    def primary_rank(self) -> int:
        """The last rank that the primary metric looks at."""
        return self.primary.cutoff or self.depth

    @property
    def critical_rank(self) -> int:
        """The last rank that the gate of critical queries looks at."""
        return self.gates.critical.at or self.primary_rank


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """How a suite's retriever is reached.

    Attributes:
        kind: `python`, `command`, `http`, `run` or `search`.
        target: `module:name`, the command in one line, the URL or run file as written, or None.
        options: further keys of this kind (`interpreter`, `id_field`; `tokenizer`, `match` …), as
            written: variables are not expanded.
        timeout: seconds one query may take.
        concurrency: queries in flight.
        references: the environment variables that the settings name.
    """

    kind: Literal["python", "command", "http", "run", "search"]
    target: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 10.0
    concurrency: int = 1
    references: tuple[EnvironmentReference, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """One dataset, one corpus, one retriever and the gates they must pass.

    Attributes:
        dataset: paths or globs, relative to the configuration's folder.
        corpus: path of the manifest, likewise, None without one.
        fields: source path by canonical field name, where they differ.
        unlabelled: what a row without labels is: an `error` or `unanswerable`.
    """

    name: str
    dataset: tuple[str, ...]
    scoring: Scoring
    corpus: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    unlabelled: Literal["error", "unanswerable"] = "error"
    retriever: RetrieverSettings | None = None


@dataclass(frozen=True, slots=True)
class LintSettings:
    """Which rules run where, and how bad their findings are; codes or prefixes of codes.

    Attributes:
        extend_select: run besides those of `select`.
        per_file_ignores: codes left out, by glob of file.
        severity: by code; the longest that matches a rule counts.
        exclude: globs of files that are passed over.
        ignore_list: the list of ignored findings, relative to the configuration's folder; None for
            the one beside it, where there is one.
    """

    select: tuple[str, ...] = ("RG0", "RG1", "RG2", "RG3", "RG4", "RG9")
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    severity: Mapping[str, Literal["error", "warning"]] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    ignore_list: str | None = None


@dataclass(frozen=True, slots=True)
class CommentSettings:
    """How the pull-request comment is written.

    Attributes:
        mode: when a comment is written.
        queries: whether query texts are `shown` or `hidden` behind their ids.
        max_rows: rows of a table before the rest is counted only.
    """

    mode: Literal["update", "new", "changes", "failures", "off"] = "update"
    queries: Literal["shown", "hidden"] = "shown"
    max_rows: int = 50


@dataclass(frozen=True, slots=True)
class Config:
    """A whole configuration.

    Attributes:
        root: folder to which its paths are relative, absolute.
        path: the file it was read from; None for one made of command-line arguments.
    """

    root: Path
    suites: Mapping[str, Suite]
    path: Path | None = None
    lint: LintSettings = field(default_factory=LintSettings)
    comment: CommentSettings = field(default_factory=CommentSettings)
