"""The stand-ins of GitHub's own actions do what ragguard expects of the real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e import events
from tests.e2e.act import Actions
from tests.e2e.consumer import Consumer
from tests.e2e.result import Result
from tests.loopback.server import LoopbackGitHub
from tests.loopback.state import PullRequest

pytestmark = pytest.mark.e2e

HEAD = "on: [pull_request, push]\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"


@pytest.fixture
def actions(github: LoopbackGitHub, tmp_path: Path) -> Actions:
    """A consumer without an action, three commits deep on main."""
    consumer = Consumer.create(github, tmp_path, {"a.txt": "1\n"})
    consumer.commit({"a.txt": "2\n"})
    consumer.commit({"a.txt": "3\n"})
    nothing = tmp_path / "action"
    nothing.mkdir()
    (nothing / "action.yml").write_text("name: none\nruns: {using: composite, steps: []}\n")
    return Actions(consumer, nothing, tmp_path / "runs")


def run(actions: Actions, steps: str, *, pull: PullRequest | None = None) -> Result:
    """Commit a workflow of these steps to main and run it there, or for a pull request."""
    actions.consumer.commit({".github/workflows/w.yml": HEAD + steps})
    if pull is not None:
        actions.consumer.refresh(pull)
        event = events.pull_request(actions.consumer, pull)
    else:
        event = events.push(actions.consumer)
    return actions.run(event, ".github/workflows/w.yml")


def test_checkout_is_shallow_and_detached_at_the_test_merge_and_can_be_deepened(
    actions: Actions,
) -> None:
    """One commit, no branch; ``git fetch --deepen`` brings the parents from https://github.com."""
    actions.consumer.commit({"b.txt": "1\n"}, branch="feature")
    pull = actions.consumer.open_pull("feature")
    result = run(
        actions,
        """
      - uses: actions/checkout@0123456789abcdef0123456789abcdef01234567
      - id: state
        run: |
          {
            echo "head=$(git rev-parse HEAD)"
            echo "branch=$(git symbolic-ref -q HEAD || echo none)"
            echo "shallow=$(git rev-parse --is-shallow-repository)"
            echo "commits=$(git rev-list --count HEAD)"
            echo "origin=$(git config remote.origin.url)"
            git fetch -q --deepen=1 origin
            echo "deeper=$(git rev-list --count HEAD)"
            echo "first-parent=$(git rev-parse HEAD^1)"
          } >> "$GITHUB_OUTPUT"
""",
        pull=pull,
    )
    assert result.exit_code == 0, result.log
    assert result.outputs("state") == {
        "head": pull.merge_commit_sha,
        "branch": "none",
        "shallow": "true",
        "commits": "1",
        "origin": "https://github.com/org/repo",
        "deeper": "3",
        "first-parent": actions.consumer.tip(),
    }


def test_checkout_of_depth_zero_brings_all_branches(actions: Actions) -> None:
    """fetch-depth 0 is the whole history, on the pushed branch; another ref goes into a folder."""
    other = actions.consumer.commit({"b.txt": "1\n"}, branch="other/one")
    result = run(
        actions,
        f"""
      - uses: actions/checkout@v4
        with: {{ fetch-depth: 0 }}
      - uses: actions/checkout@v4
        id: second
        with: {{ ref: other/one, path: beside }}
      - uses: actions/checkout@v4
        id: third
        with: {{ ref: {other}, path: by-id }}
      - id: state
        run: |
          {{
            echo "branch=$(git symbolic-ref --short HEAD)"
            echo "commits=$(git rev-list --count HEAD)"
            echo "other=$(git rev-parse origin/other/one)"
            echo "beside=$(cat beside/b.txt by-id/b.txt | wc -l)"
          }} >> "$GITHUB_OUTPUT"
""",
    )
    assert result.exit_code == 0, result.log
    assert result.outputs("state") == {
        "branch": "main",
        "commits": "4",
        "other": other,
        "beside": "2",
    }
    assert result.outputs("second")["commit"] == result.outputs("third")["commit"] == other


def test_python_is_fresh_has_pip_and_leaves_path_alone_when_told(actions: Actions) -> None:
    """Packages of this machine are not in it; update-environment decides about PATH."""
    result = run(
        actions,
        """
      - uses: actions/setup-python@v5
        id: python
        with: { python-version: "3.11", update-environment: "false" }
      - id: before
        run: echo "python=$(command -v python3)" >> "$GITHUB_OUTPUT"
      - uses: actions/setup-python@v5
        with: { python-version: "3.11" }
      - id: after
        run: |
          {
            echo "python=$(command -v python)"
            echo "pip=$(command -v pip)"
            echo "packages=$(python -m pip list --format=freeze | cut -d= -f1 | tr '\\n' ' ')"
          } >> "$GITHUB_OUTPUT"
""",
    )
    assert result.exit_code == 0, result.log
    python = result.outputs("python")["python-path"]
    assert result.outputs("python")["python-version"].startswith("3.")
    assert result.outputs("before")["python"] != python
    assert result.outputs("after")["python"] == python
    assert Path(result.outputs("after")["pip"]).parent == Path(python).parent
    assert result.outputs("after")["packages"].split() == ["pip"]


def test_uploaded_files_keep_their_place_and_hidden_ones_stay_out(actions: Actions) -> None:
    """The archive's root is the folder that the paths share; a second artifact of a name fails."""
    result = run(
        actions,
        """
      - run: mkdir -p out/deep out/.dot && touch out/a.txt out/deep/b.txt out/.hidden out/.dot/c
      - uses: actions/upload-artifact@v4
        id: first
        with:
          name: report
          path: |
            out
            !out/deep/b.txt
      - uses: actions/upload-artifact@v4
        with: { name: all, path: "out/**", include-hidden-files: true }
      - uses: actions/upload-artifact@v4
        with: { name: none, path: absent/*.txt }
      - uses: actions/upload-artifact@v4
        id: again
        continue-on-error: true
        with: { name: report, path: out/a.txt }
      - uses: actions/upload-artifact@v4
        id: replaced
        with: { name: report, path: out/deep/b.txt, overwrite: true }
""",
    )
    assert result.exit_code == 0, result.log
    artifacts = {
        each.name: each.files().keys() for each in actions.consumer.repository.artifacts.values()
    }
    assert artifacts == {"all": {"a.txt", "deep/b.txt", ".hidden", ".dot/c"}, "report": {"b.txt"}}
    assert result.steps["job/again"] == "failure"
    messages = [each.message for each in result.annotations]
    assert messages[0].startswith("No files were found with the provided path: absent/*.txt")
    assert messages[1].endswith("an artifact 'report' already exists on this run")
    first, replaced = (int(result.outputs(step)["artifact-id"]) for step in ("first", "replaced"))
    assert first < replaced
    assert first not in actions.consumer.repository.artifacts


def test_artifact_is_downloaded_by_its_own_run_and_by_a_later_one(actions: Actions) -> None:
    """Without a token from the running job, with one through the API and the storage host."""
    first = run(
        actions,
        """
      - run: echo kept > kept.txt
      - uses: actions/upload-artifact@v4
        with: { name: report, path: kept.txt }
      - uses: actions/download-artifact@v4
        with: { name: report, path: here }
      - id: state
        run: echo "kept=$(cat here/kept.txt)" >> "$GITHUB_OUTPUT"
""",
    )
    assert first.outputs("state") == {"kept": "kept"}, first.log
    second = run(
        actions,
        f"""
      - uses: actions/download-artifact@v4
        with: {{ run-id: {first.run.id}, github-token: "${{{{ github.token }}}}" }}
      - id: state
        run: echo "kept=$(cat report/kept.txt)" >> "$GITHUB_OUTPUT"
      - uses: actions/download-artifact@v4
        id: absent
        continue-on-error: true
        with: {{ name: other }}
""",
    )
    assert second.outputs("state") == {"kept": "kept"}, second.log
    assert second.steps["job/absent"] == "failure"
    assert len(actions.consumer.github.storage.downloads) == 1


def test_cache_is_saved_once_and_found_by_key_or_prefix(actions: Actions) -> None:
    """A miss saves, the same key hits, a prefix restores without being a hit."""
    steps = """
      - uses: actions/cache@v4
        id: cache
        with: { path: "kept\\n${{ runner.temp }}/also", key: KEY, restore-keys: "k-" }
      - id: state
        run: |
          found="$(cat kept/file "$RUNNER_TEMP/also" 2>/dev/null | tr '\\n' ' ')"
          echo "found=$found" >> "$GITHUB_OUTPUT"
          mkdir -p kept && echo KEY > kept/file && echo also > "$RUNNER_TEMP/also"
"""
    found = []
    for key in ("k-1", "k-1", "k-2", "k-2"):
        result = run(actions, steps.replace("KEY", key))
        assert result.exit_code == 0, result.log
        found.append((result.outputs("cache")["cache-hit"], result.outputs("state")["found"]))
    assert found == [("", ""), ("true", "k-1 also "), ("false", "k-1 also "), ("true", "k-2 also ")]
