"""The comment that the demo writes, looked at as GitHub shows it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.picture import render_html, take_pictures

pytestmark = pytest.mark.e2e

HOSTILE = (
    "@octocat #12 org/repo#3 | cell\nline <img src=x onerror=alert(1)> [a](https://evil.example) "
    "![i](https://evil.example/i.png) `code` </details> <!-- ragguard:default --> \u202eback"
)


def ragguard(folder: Path, *arguments: str, code: int) -> str:
    """What a command prints; it must end with this exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "ragguard", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a demo that was run."""
    folder = tmp_path_factory.mktemp("demo")
    ragguard(folder, "demo", "--output", str(folder / "example"), code=0)
    return folder / "example"


def test_the_comment_fits_a_desktop_and_a_phone(demo: Path) -> None:
    """No table widens the page, in light and in dark; every critical miss is in it."""
    markdown = (demo / "comment.md").read_text(encoding="utf-8")
    html = render_html(markdown)
    assert "<h2>❌ Retrieval failed: 4 critical misses" in html
    assert all(f"<code>{query_id}</code>" in html for query_id in ("q015", "q027", "q061", "q076"))
    assert "<code>audit-log-format</code> rank 2 → 14" in html
    pictures = take_pictures(markdown, demo / "pictures")
    assert {(each.width, each.scheme) for each in pictures} == {
        (width, scheme) for width in (900, 390) for scheme in ("light", "dark")
    }
    assert [each.overflow for each in pictures] == [0, 0, 0, 0]
    assert all(each.path.stat().st_size > 20_000 for each in pictures)


def test_hostile_texts_stay_texts(demo: Path, tmp_path: Path) -> None:
    """Whatever a query, an id or a category holds: no link, no image, no mention, one cell."""
    reports = []
    for name in ("base.jsonl", "head.jsonl"):
        lines = (demo / name).read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        for record in records:
            if record.get("query_id") == "q076":
                record["row"]["query"] = HOSTILE
                record["row"]["category"] = HOSTILE
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        reports.append(str(path))
    html = render_html(ragguard(demo, "diff", *reports, "--format", "markdown", code=1))
    row = next(row for row in html.split("<tr>")[1:] if "<code>q076</code>" in row)
    assert row.count("<td") == 3
    for broken_out in ("<a ", "<img", "user-mention", "issue-link", "\u202e", "<!--"):
        assert broken_out not in row
    assert html.count("<details") == html.count("</details>")
