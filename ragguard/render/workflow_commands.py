"""Workflow commands of GitHub Actions (`::error file=…::message`): the one place that escapes them.

Whatever a dataset holds, it can neither end the command early nor begin another one. Escapes as
the runner decodes them: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_BEGINNING = re.compile(r"(^|[\r\n])(\s*):(?=:)")
_ANYWHERE = re.compile(r"#(?=#\[)")


def escape_data(text: str) -> str:
    """Text for the message of a command, after `::`."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Text for the value of a property, between `=` and `,` or `::`."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def workflow_command(
    name: str, message: str, properties: Mapping[str, str | int | None] | None = None
) -> str:
    """One command on one line; properties that are None are left out.

    Args:
        name: `error`, `warning`, `notice`, `group` …
        message: anything.
        properties: `file`, `line`, `col`, `title` …
    """
    told = ",".join(
        f"{key}={escape_property(str(value))}"
        for key, value in (properties or {}).items()
        if value is not None
    )
    return f"::{name}{f' {told}' if told else ''}::{escape_data(message)}"


def defused(text: str) -> str:
    """Text for the log in which the runner finds no command, whoever wrote it.

    It takes a line for one that begins with `::`, white space before it aside, or that holds
    `##[` anywhere (actions/runner, ActionCommand.cs); a space is put between the two characters.
    """
    return _ANYWHERE.sub("# ", _BEGINNING.sub(r"\1\2: ", text))
