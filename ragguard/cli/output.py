"""Where a command's result goes, and the settings by which Markdown is written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragguard.errors import UsageError

if TYPE_CHECKING:
    from ragguard.config.model import CommentSettings

_PORTION = 65_536
"""Characters that are written at once."""


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text that may hold what others wrote: in a workflow, no line of it is a command."""
    if os.environ.get("GITHUB_ACTIONS"):
        from ragguard.render.workflow_commands import defused

        text = defused(text)
    click.echo(text, err=err, nl=nl)


def tell(label: str, text: str) -> None:
    """Print a note to stderr that may quote others: nothing in it steers the terminal.

    Args:
        label: what it begins with, styled or empty.
        text: the note.
    """
    from ragguard.render.visible import visible_lines

    echo(f"{label} {visible_lines(text)}".lstrip(), err=True)


def deliver(
    text: str | Iterable[str],
    output: Path | None,
    *,
    err: bool = False,
    for_people: bool = False,
) -> None:
    """Print a text, or write it to a file in UTF-8.

    Args:
        text: the text, or its pieces, which are written as they come.
        output: the file; None to print.
        err: whether to print to stderr.
        for_people: whether the text is prose, in which a workflow must find no command of others.

    Raises:
        UsageError: the file cannot be written.
    """
    portions = _portions([text] if isinstance(text, str) else text)
    if output is None:
        for portion in portions:
            (echo if for_people else click.echo)(portion, nl=False, err=err)
        return
    try:
        with output.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(portions)
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror or error}") from error


def _portions(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces joined to about as much as one write should take; at least one."""
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size > _PORTION:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


def comment_settings(config: str | None) -> CommentSettings:
    """The settings of comments: those of the configuration given or found, else the defaults.

    Raises:
        ConfigError: the configuration cannot be read or is not valid.
    """
    from ragguard.config.discovery import find_config
    from ragguard.config.model import CommentSettings

    path = Path(config) if config else find_config(Path.cwd())
    if path is None:
        return CommentSettings()
    from ragguard.config.reading import read_config

    return read_config(path).comment
