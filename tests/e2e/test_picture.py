"""The picture harness itself: Markdown becomes what GitHub shows, and a picture of it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.e2e.picture import render_html, take_pictures

pytestmark = pytest.mark.e2e

SAMPLE = """\
## ❌ Retrieval: 1 critical miss

recall@5 **0.912 → 0.871** (down 0.041)
second line

| query | slice | recall@5 |
|:--|:--|--:|
| `q002` Can an admin export … | security | 1.00 → 0.50 |
| `q031` a\\|b | billing | 1.00 → 0.00 |

<details open><summary>recall by cutoff</summary>

```mermaid
xychart-beta
  x-axis [1, 3, 5, 10]
  y-axis "recall" 0 --> 1
  line [0.5, 0.7, 0.9, 0.95]
  line [0.4, 0.7, 0.87, 0.95]
```
</details>
"""


def size_of(png: Path) -> tuple[int, int]:
    """Width and height in the header of a PNG."""
    header = png.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", header[16:24])
    return width, height


def test_markdown_is_rendered_as_in_a_github_comment() -> None:
    """Tables, line breaks and details are kept."""
    html = render_html(SAMPLE)
    assert '<td align="right">1.00 → 0.50</td>' in html
    assert "<code>q031</code> a|b</td>" in html
    assert "(down 0.041)<br>" in html
    assert "<details open><summary>recall by cutoff</summary>" in html
    assert '<code class="language-mermaid">xychart-beta' in html


def test_what_github_removes_or_links_is_seen() -> None:
    """Scripts and handlers go; a bare @name and #123 become links, those in code do not."""
    html = render_html('<b onclick="y">b</b><script>x</script> @octocat #12 `@octocat #12`')
    assert "script" not in html
    assert "onclick" not in html
    assert '<a class="user-mention" href="https://github.com/octocat">@octocat</a>' in html
    assert '<a class="issue-link" href="https://github.com/org/repo/issues/12">#12</a>' in html
    assert "<code>@octocat #12</code>" in html


def test_references_in_raw_html_are_links_too() -> None:
    """GitHub looks for names after rendering: raw HTML and entities do not hide one."""
    html = render_html("<details><summary>@one a@b.example x#1</summary>&#64;two</details>")
    assert html.count("user-mention") == 2
    assert "issue-link" not in html


def test_pictures_are_taken_for_desktop_and_phone_in_light_and_dark(tmp_path: Path) -> None:
    """Four pictures of their width, with something on them; no table widens the page."""
    pictures = take_pictures(SAMPLE, tmp_path)
    seen = [(picture.width, picture.scheme) for picture in pictures]
    assert seen == [(900, "light"), (390, "light"), (900, "dark"), (390, "dark")]
    for picture in pictures:
        width, height = size_of(picture.path)
        assert width == 2 * picture.width
        assert height >= 1600
        assert picture.path.stat().st_size > 20_000
        assert picture.overflow == 0
    assert "<table>" in (tmp_path / "comment.html").read_text("utf-8")
