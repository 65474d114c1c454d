"""Workflow commands: what the runner decodes is what was meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragguard.render.workflow_commands import escape_data, escape_property, workflow_command


def decoded(text: str, *, is_property: bool) -> str:
    """What GitHub's runner makes of an escaped text (ActionCommand.cs, percent last)."""
    pairs = [("%0D", "\r"), ("%0A", "\n")]
    if is_property:
        pairs += [("%3A", ":"), ("%2C", ",")]
    for escape, meant in [*pairs, ("%25", "%")]:
        text = text.replace(escape, meant)
    return text


@given(st.text(alphabet=st.sampled_from("a%0AD25C3:,\r\n=")))
def test_escapes_are_undone_by_the_runner(text: str) -> None:
    """Any text comes through whole, on one line."""
    assert decoded(escape_data(text), is_property=False) == text
    assert decoded(escape_property(text), is_property=True) == text
    assert not {"\r", "\n"} & {*escape_data(text)}
    assert not {"\r", "\n", ":", ","} & {*escape_property(text)}


def test_properties_that_are_none_are_left_out() -> None:
    """A finding on a whole file has no line."""
    assert workflow_command("error", "m", {"file": "a", "line": None}) == "::error file=a::m"
    assert workflow_command("group", "m") == "::group::m"
