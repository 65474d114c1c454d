"""Commits, comparisons and files at a commit."""

from __future__ import annotations

import re

from tests.loopback import history
from tests.loopback.call import Call, Refusal, answer
from tests.loopback.contract import Answer
from tests.loopback.repository import Repository
from tests.loopback.shapes import code
from tests.loopback.state import Commit

LARGEST_JSON_FILE = 1024 * 1024


def list_commits(call: Call) -> Answer:
    """The commits from a ref (or the default branch) down, newest first."""
    _refuse_filters(call, "path", "author", "committer", "since", "until")
    start = resolve(call, call.query("sha") or call.repository.default_branch)
    shown, links = call.page(list(history.ancestors(shared_commits(call), start.sha)))
    commits = shared_commits(call)
    return answer([code.commit(call.place, commits[sha]) for sha in shown], headers=links)


def get_commit(call: Call) -> Answer:
    """One commit with the files that it changed against its first parent."""
    commit, commits = resolve(call, call.text("ref")), shared_commits(call)
    before = (
        commits[commit.parents[0]].files if commit.parents and commit.parents[0] in commits else {}
    )
    changes = history.changes(before, commit.files)
    shape = code.commit(call.place, commit)
    return answer(shape | {"files": code.files(call.place, commit.sha, changes)})


def compare(call: Call) -> Answer:
    """How one commit stands to another; only three dots are known here."""
    base_name, dots, head_name = call.text("basehead").partition("...")
    if not dots:
        raise Refusal(404, "Not Found")
    base, head = resolve(call, base_name, missing=404), resolve(call, head_name, missing=404)
    found = history.compare(shared_commits(call), base.sha, head.sha)
    if found is None:
        raise Refusal(404, f"No common ancestor between {base_name} and {head_name}.")
    shape = code.comparison(call.place, base, head, found)
    shown, links = (
        call.page(shape["commits"])
        if "per_page" in call.received.query
        else (shape["commits"][-250:], {})
    )
    return answer(shape | {"commits": shown}, headers=links)


def get_contents(call: Call) -> Answer:
    """A file or a directory at a ref; the raw bytes when the Accept header asks for them."""
    ref = call.query("ref") or call.repository.default_branch
    path = call.text("path").strip("/")
    try:
        files = resolve(call, ref).files
    except Refusal as missing:
        raise Refusal(404, f"No commit found for the ref {ref}") from missing
    if path in files:
        return _file(call, ref, path, files[path])
    names = sorted(
        {_below(each, path) for each in files if path == "" or each.startswith(f"{path}/")}
    )
    if not names:
        raise Refusal(404, "Not Found")
    return answer([code.entry(call.place, ref, name, files.get(name)) for name in names])


def _file(call: Call, ref: str, path: str, content: bytes) -> Answer:
    if "raw" in call.received.headers.get("accept", ""):
        media = "application/vnd.github.raw+json; charset=utf-8"
        return Answer(200, content, media, described=False)  # GitHub tells of it in prose alone
    if len(content) > LARGEST_JSON_FILE:
        errors = [{"resource": "Blob", "field": "data", "code": "too_large"}]
        raise Refusal(403, "This API returns blobs up to 1 MB in size.", errors=errors)
    return answer(code.file(call.place, ref, path, content))


def _below(path: str, folder: str) -> str:
    prefix = f"{folder}/" if folder else ""
    return prefix + path.removeprefix(prefix).split("/", 1)[0]


def shared_commits(call: Call) -> dict[str, Commit]:
    """The commits of the repository and its forks."""
    return {
        sha: commit for repository in call.network() for sha, commit in repository.commits.items()
    }


def resolve(call: Call, name: str, missing: int = 422) -> Commit:
    """The commit of a branch, tag, id, ``OWNER:BRANCH`` or ``refs/…``; else status ``missing``."""
    owner, colon, ref = name.rpartition(":")
    places = (
        [each for each in call.network() if each.owner == owner] if colon else [call.repository]
    )
    for place in places:
        sha = _named(place, ref)
        if sha is not None:
            return place.commits[sha]
    commits = shared_commits(call)
    if found := [
        sha for sha in commits if re.fullmatch("[0-9a-f]{7,40}", ref) and sha.startswith(ref)
    ]:
        return commits[found[0]]
    raise Refusal(missing, "Not Found" if missing == 404 else f"No commit found for SHA: {name}")


def _named(repository: Repository, ref: str) -> str | None:
    if pull := re.fullmatch(r"(?:refs/)?pull/(\d+)/(head|merge)", ref):
        found = repository.pulls.get(int(pull[1]))
        if found is None:
            return None
        return found.head_sha if pull[2] == "head" else found.merge_commit_sha
    short = re.sub("^(refs/)?(heads|tags)/", "", ref)
    return repository.branches.get(short) or repository.tags.get(short)


def _refuse_filters(call: Call, *names: str) -> None:
    """A filter that GitHub knows and the loopback does not must not be passed over in silence."""
    for name in names:
        if name in call.received.query:
            raise NotImplementedError(f"the loopback does not filter commits by {name!r}")
