"""The report that a run is compared with: where it comes from, and how old it is."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragguard.errors import InputError
from ragguard.git import git
from ragguard.github.client import ApiRefusedError, Artifact, GitHub
from ragguard.github.event import Event, Kind
from ragguard.github.settings import DEFAULT_BASELINE, Settings
from ragguard.location import Location
from ragguard.report.model import Report
from ragguard.report.reading import read_report, report_from_bytes

TRUSTED_EVENTS = frozenset({"push", "schedule", "workflow_dispatch"})
"""A report of another event is a stranger's word: a fork's run must never become a baseline."""

_LARGEST_REPORT = 512 << 20


@dataclass(frozen=True, slots=True)
class Baseline:
    """A report to compare with.

    Attributes:
        sha: the commit it stands for; None when it does not say.
        source: where it came from, in words.
        created: ISO 8601, when that is known.
        distance: commits between it and the base commit; 0 for exactly the base.
    """

    report: Report
    source: str
    sha: str | None = None
    created: str | None = None
    distance: int = 0


def base_commit(event: Event, settings: Settings, github: GitHub) -> str | None:
    """The commit to compare with; None when the event has none.

    Of a pull request it is the first parent of the tested merge commit, else the merge base:
    the base that the event names goes stale while the base branch moves on.

    Raises:
        LookupFailedError: neither git nor the API could tell.
    """
    if event.kind is not Kind.PULL_REQUEST:
        return event.base_sha
    parents = _parents(settings)
    if parents is None:
        parents = github.parents(settings.sha)
    if len(parents) == 2 and parents[1] == event.head_sha:
        return parents[0]
    local = git(settings.workspace, "merge-base", f"origin/{event.base_ref}", event.head_sha)
    if local:
        return local.decode().strip()
    return github.merge_base(event.base_ref, event.head_sha)


def _parents(settings: Settings) -> list[str] | None:
    """The parents of the tested commit; None when the clone is too shallow to have them."""
    listed = git(settings.workspace, "rev-list", "--parents", "-n", "1", settings.sha)
    if not listed:
        return None
    parents = listed.decode().split()[1:]
    return parents or None


def find_baseline(
    event: Event, base: str | None, settings: Settings, github: GitHub
) -> Baseline | None:
    """The baseline of a run, None when there is none.

    Looks for an explicit file, then for the report committed at the base commit, then for the
    artifact of exactly the base commit, then for that of its nearest ancestor.

    Raises:
        LookupFailedError: GitHub did not answer, so that nothing is known.
        InputError: a baseline was found that cannot be read.
    """
    if settings.baseline == "none":
        return None
    if settings.baseline in {"file", "auto"}:
        found = _explicit_file(settings) or _committed(base, settings)
        if found or settings.baseline == "file":
            return found
    return _from_artifacts(event, base, settings, github)


def _explicit_file(settings: Settings) -> Baseline | None:
    """A file that a step before has put there; one under version control is taken from base."""
    if not settings.baseline_path:
        return None
    path = settings.working_directory / settings.baseline_path
    if not path.is_file() or _is_tracked(path, settings.workspace):
        return None
    report = read_report(path, settings.baseline_path)
    return Baseline(report, f"the file {settings.baseline_path}", _commit(report), _started(report))


def _is_tracked(path: Path, workspace: Path) -> bool:
    return git(workspace, "ls-files", "--error-unmatch", "--", str(path)) is not None


def _committed(base: str | None, settings: Settings) -> Baseline | None:
    """The report committed at the base commit."""
    if base is None:
        return None
    name = settings.baseline_path or DEFAULT_BASELINE
    path = (settings.working_directory / name).resolve()
    try:
        relative = path.relative_to(settings.workspace.resolve()).as_posix()
    except ValueError:
        return None
    content = committed_file(settings.workspace, base, relative)
    if content is None:
        return None
    report = report_from_bytes(content, f"{base[:9]}:{relative}")
    source = f"{relative}, committed at {base[:9]}"
    return Baseline(report, source, _commit(report), _started(report))


def committed_file(workspace: Path, commit: str, relative: str) -> bytes | None:
    """A file as it is in a commit, None when it is not there; fetches what is missing."""
    if git(workspace, "cat-file", "-e", f"{commit}^{{commit}}") is None:
        git(workspace, "fetch", "--quiet", "--no-tags", "--depth=1", "origin", commit)
    return git(workspace, "show", f"{commit}:{relative}")


def _from_artifacts(
    event: Event, base: str | None, settings: Settings, github: GitHub
) -> Baseline | None:
    if base is None:
        return None
    name = f"ragguard-report-{settings.id}"
    candidates = [
        artifact
        for artifact in github.artifacts(name)
        if artifact.is_own and artifact.head_branch == event.base_ref
    ]
    if not candidates:
        return None
    for artifact, distance in _nearest_first(candidates, base, github):
        if github.event_of_run(artifact.run_id) not in TRUSTED_EVENTS:
            continue
        report = report_in(_downloaded(artifact, github), f"artifact {name}")
        return Baseline(
            report, f"the artifact {name}", artifact.head_sha, artifact.created, distance
        )
    return None


def _nearest_first(
    artifacts: list[Artifact], base: str, github: GitHub
) -> Iterator[tuple[Artifact, int]]:
    exact = [artifact for artifact in artifacts if artifact.head_sha == base]
    yield from ((artifact, 0) for artifact in exact)
    order = {sha: distance for distance, sha in enumerate(github.ancestors(base))}
    older = [artifact for artifact in artifacts if order.get(artifact.head_sha, 0) > 0]
    for artifact in sorted(older, key=lambda artifact: order[artifact.head_sha]):
        yield artifact, order[artifact.head_sha]


def _downloaded(artifact: Artifact, github: GitHub) -> bytes:
    try:
        return github.download(artifact.id)
    except ApiRefusedError as error:
        raise InputError(f"the artifact {artifact.id} cannot be read: {error.message}") from error


def report_in(archive: bytes, name: str) -> Report:
    """The report in an artifact's zip file, read in memory and never extracted to a path.

    Raises:
        InputError: it is no zip file, holds no report, or one that is too large or damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entries = [
                entry
                for entry in opened.infolist()
                if entry.filename.rpartition("/")[2].startswith("ragguard-report.jsonl")
            ]
            if len(entries) != 1:
                raise InputError(f"{len(entries)} reports in it", location=Location(name))
            with opened.open(entries[0]) as stream:
                content = stream.read(_LARGEST_REPORT + 1)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError) as error:
        raise InputError(f"a damaged zip file: {error}", location=Location(name)) from error
    if len(content) > _LARGEST_REPORT:
        raise InputError("the report in it is too large", location=Location(name))
    return report_from_bytes(content, name)


def _commit(report: Report) -> str | None:
    return report.commits.evaluated


def _started(report: Report) -> str | None:
    return report.timing.started if report.timing else None
