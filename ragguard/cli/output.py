"""Where a command's result goes, and the settings by which Markdown is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ragguard.errors import UsageError

if TYPE_CHECKING:
    from ragguard.config.model import CommentSettings


def deliver(text: str, output: Path | None) -> None:
    """Print the text, or write it to a file in UTF-8.

    Raises:
        UsageError: the file cannot be written.
    """
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror or error}") from error


def json_text(value: Any) -> str:
    """A JSON value for people and programs, ending in a newline."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate in somebody's id has no UTF-8; escaped it is still JSON.
        return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    return text


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
