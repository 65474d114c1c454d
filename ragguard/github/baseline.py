"""The report that a run is compared with: where it is, and how old it is."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from ragguard.errors import InputError, LookupFailedError
from ragguard.git import git
from ragguard.github.base_commit import BaseCommit
from ragguard.github.client import GitHub, WorkflowRun
from ragguard.github.settings import Settings
from ragguard.location import Location
from ragguard.report.model import Report
from ragguard.report.reading import read_report, report_from_bytes

REPORT_NAME = "ragguard-report.jsonl"
BASELINE_NAMES = ("ragguard-baseline.jsonl.gz", "ragguard-baseline.jsonl")
TRUSTED_EVENTS = frozenset({"push", "schedule", "workflow_dispatch"})
"""Events whose reports may be baselines: what they ran had been accepted into its branch."""

LARGEST_ARCHIVE = 200 << 20
LARGEST_REPORT = 1 << 30
_MOST_RUNS = 500
_MOST_CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class Baseline:
    """A report to compare with.

    Attributes:
        source: where it came from, in words.
        sha: the commit it stands for, as far as known.
        made: when it was made.
        distance: how many commits it is behind the base commit.
    """

    report: Report
    source: str
    sha: str | None = None
    made: datetime | None = None
    distance: int = 0


def find_baseline(
    base: BaseCommit | None, branch: str, settings: Settings, github: GitHub, config_folder: Path
) -> Baseline | None:
    """The baseline of a run, None when there is none.

    Looks for an explicit file, then for the report committed at the base commit, then for the
    artifact of exactly the base commit, then for that of its nearest ancestor on the base branch.

    Args:
        base: the base commit, None when the run has none.
        branch: name of the base branch.
        settings: which of these places are looked at.
        github: where the artifacts are.
        config_folder: where a committed baseline is expected.

    Raises:
        LookupFailedError: GitHub did not answer, so that nothing is known.
        InputError: there is a baseline, and it cannot be read.
    """
    if settings.baseline == "none":
        return None
    found: Baseline | None = None
    if settings.baseline in {"auto", "file"}:
        found = _explicit(settings) or (_committed(base, settings, config_folder) if base else None)
    if found is None and base is not None and settings.baseline in {"auto", "artifact"}:
        found = _from_artifacts(base.sha, branch, settings, github)
    return found


def _explicit(settings: Settings) -> Baseline | None:
    """A file that an earlier step put there; one under version control is the base's affair."""
    if settings.baseline_path is None:
        return None
    path = settings.working_directory / settings.baseline_path
    tracked = git(settings.workspace, "ls-files", "--error-unmatch", "--", str(path.absolute()))
    if tracked is not None or not path.is_file():
        return None
    report = read_report(path, settings.baseline_path)
    return _baseline(report, f"file {settings.baseline_path}")


def _committed(base: BaseCommit, settings: Settings, config_folder: Path) -> Baseline | None:
    """The report committed at the base commit."""
    if settings.baseline_path:
        paths = [settings.working_directory / settings.baseline_path]
    else:
        paths = [config_folder / name for name in BASELINE_NAMES]
    for path in paths:
        content = base.read(path)
        if content is not None:
            name = f"{base.sha[:9]}:{path.name}"
            return _baseline(report_from_bytes(content, name, strict=True), f"{path.name} in git")
    return None


def _from_artifacts(sha: str, branch: str, settings: Settings, github: GitHub) -> Baseline | None:
    name = settings.artifact_name
    for run, distance in islice(_trusted_runs(sha, branch, settings, github), _MOST_CANDIDATES):
        for artifact in github.artifacts(run.id, name):
            if artifact.is_expired:
                continue
            content = github.download(artifact, LARGEST_ARCHIVE)
            if content is not None:
                report = _trusted_report(content, f"artifact {name} of run {run.id}")
                return _baseline(report, f"artifact of run {run.id}", run, distance)
    return None


def _trusted_runs(
    sha: str, branch: str, settings: Settings, github: GitHub
) -> Iterator[tuple[WorkflowRun, int]]:
    """Runs whose report may be the baseline, that of the base commit first, then the nearest."""

    def is_trusted(run: WorkflowRun) -> bool:
        return (
            run.event in TRUSTED_EVENTS
            and run.head_branch == branch
            and run.head_repository.lower() == settings.api.repository.lower()
            and str(run.id) != settings.run_id
        )

    yield from ((run, 0) for run in github.runs_of_commit(sha) if is_trusted(run))
    behind = {ancestor: distance for distance, ancestor in enumerate(github.ancestors(sha))}
    runs = islice(github.runs_of_branch(branch), _MOST_RUNS)
    older = [run for run in runs if is_trusted(run) and behind.get(run.head_sha, 0) > 0]
    older.sort(key=lambda run: (behind[run.head_sha], -run.id))
    yield from ((run, behind[run.head_sha]) for run in older)


def _trusted_report(archive: bytes, name: str) -> Report:
    try:
        return report_in_archive(archive, name)
    except InputError as error:
        raise LookupFailedError(
            f"the baseline cannot be read: {error}",
            hint="run the workflow on the base branch again, so that it keeps a new report",
        ) from error


def report_in_archive(archive: bytes, name: str) -> Report:
    """The report in the archive of an artifact, read in memory and never extracted to a path.

    Args:
        archive: a zip file from an untrusted place.
        name: what to call it in errors.

    Raises:
        InputError: it is no zip file, holds no report, or one that is too large or not valid.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entry = opened.getinfo(REPORT_NAME)
            if entry.file_size > LARGEST_REPORT:
                raise InputError("the report in it is too large", location=Location(name))
            with opened.open(entry) as stream:
                content = stream.read(LARGEST_REPORT + 1)
    except KeyError as error:
        raise InputError(f"there is no {REPORT_NAME} in it", location=Location(name)) from error
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputError(f"not a sound zip file: {error}", location=Location(name)) from error
    if len(content) > LARGEST_REPORT or content.startswith(b"\x1f\x8b"):
        raise InputError("the report in it is too large, or compressed", location=Location(name))
    return report_from_bytes(content, name, strict=True)


def _baseline(
    report: Report, source: str, run: WorkflowRun | None = None, distance: int = 0
) -> Baseline:
    made = _time(report.timing.started) if report.timing else None
    return Baseline(
        report,
        source,
        sha=run.head_sha if run else report.commits.evaluated,
        made=made or (run.created if run else None),
        distance=distance,
    )


def _time(text: str) -> datetime | None:
    """A time as a report tells it, None when it is none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
