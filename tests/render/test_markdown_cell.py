"""Foreign text inside Markdown: judged by a real GFM parser."""

from __future__ import annotations

import html
import re

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import example, given
from hypothesis import strategies as st

from ragguard.render.markdown_cell import cell, code, link

HOSTILE = [
    "a | b",
    "`code` ``more``",
    "a\nb\r\n\r\n# heading",
    "<img src=x onerror=alert(1)> <!-- gone -->",
    "</td></tr></table><script>x</script>",
    "![x](http://evil.example/p.png) [y](http://evil.example)",
    "https://evil.example www.evil.example a@evil.example <https://evil.example>",
    "@octocat @org/team #123 org/repo#12 GH-12 gh-12",
    "back\\|slash \\` end\\",
    "**bold** __bold__ ~~gone~~ $x$ $`x`$ :tada:",
    "1. one",
    "- item",
    "> quote",
    "&lt;b&gt; &#64;octocat &amp;",
    "x\u202egnp.exe \u2066\u200b\ufeff\U000e0041 \x1b[31m\x00",
    "[ref]: http://evil.example",
    "|:--|--:|",
]


def rendered(text: str) -> str:
    """A table of one row and two cells as GitHub's parser renders it, unsafe HTML included."""
    table = f"| one | two |\n|:--|:--|\n| {text} | end |\n"
    return cmarkgfm.github_flavored_markdown_to_html(table, Options.CMARK_OPT_UNSAFE)


def cells_of(page: str) -> list[str]:
    """The inner HTML of the body cells."""
    return re.findall(r"<td[^>]*>(.*?)</td>", page, re.DOTALL)


def text_of(inner: str) -> str:
    """What is read on the page, without the zero-width breaks."""
    return html.unescape(re.sub(r"<[^>]*>", "", inner)).replace("\u200b", "")


def mentions(inner: str) -> list[str]:
    """What GitHub's filters would link after rendering; they skip code."""
    shown = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<code>.*?</code>", "", inner)))
    return re.findall(r"@\w|#\d|GH-\d", shown, re.IGNORECASE)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("escape", [cell, code])
def test_hostile_text_stays_in_its_cell_and_formats_nothing(text: str, escape: object) -> None:
    """One row, two cells, no element but the code around an id, nobody notified."""
    assert callable(escape)
    inner, end = cells_of(rendered(escape(text)))
    assert end == "end"
    assert re.findall(r"<(?!/?code>)[^>]*>", inner) == []
    assert mentions(inner) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a | b", "a | b"),
        ("`x` <b> & \\| *y*", "`x` <b> & \\| *y*"),
        ("@octocat #12 https://a.example", "@octocat #12 https://a.example"),
        ("two\nlines\t\ttab", "two lines tab"),
        ("x\u202ey", "x\\u202ey"),
        ("Zahlung überfällig? 支払い", "Zahlung überfällig? 支払い"),
        ("&amp; stays", "&amp; stays"),
    ],
)
def test_what_is_read_is_what_was_written(text: str, shown: str) -> None:
    """Escaping changes nothing a reader sees, but makes the invisible visible."""
    assert text_of(cells_of(rendered(cell(text)))[0]) == shown


@given(st.text(max_size=60))
@example("\\|")
@example("`|`")
def test_any_text_stays_in_its_cell(text: str) -> None:
    """No text of any script breaks the table or becomes an element."""
    for escape in (cell, code):
        inner, end = cells_of(rendered(escape(text)))
        assert end == "end"
        assert re.findall(r"<(?!/?code>)[^>]*>", inner) == []
        assert mentions(inner) == []


def test_ids_can_be_copied_from_a_code_span() -> None:
    """An ordinary id, and one with #, @ or a URL, is written as it is."""
    assert code("docs/guide.md#retry@2") == "`docs/guide.md#retry@2`"
    assert code("https://a.example/x#y") == "`https://a.example/x#y`"


def test_long_text_is_cut_and_says_so() -> None:
    """Eighty characters, the last an ellipsis; a huge text costs little."""
    assert cell("x" * 10_000_000) == "x" * 79 + "…"


def test_only_web_addresses_become_links() -> None:
    """Other schemes and characters that end a link do not get through."""
    assert (
        link("`q1`", "https://a.example/x(1) y#L2") == "[`q1`](https://a.example/x%281%29%20y#L2)"
    )
    assert link("`q1`", "javascript:alert(1)") == "`q1`"
    assert link("`q1`", None) == "`q1`"
