"""What all imports have in common: the dataset that is written, and what may not be overwritten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ragguard.cli.output import echo
from ragguard.errors import UsageError


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--output`, `--force`, `--dataset-version` and `--corpus-version`."""
    options = (
        click.option(
            "--output",
            "-o",
            type=click.Path(dir_okay=False, path_type=Path),
            required=True,
            help="Dataset file; compressed when its name ends in .gz.",
        ),
        click.option("--force", is_flag=True, help="Overwrite the dataset file and its sidecar."),
        click.option("--dataset-version", metavar="V", help="Written to the sidecar."),
        click.option("--corpus-version", metavar="V", help="Written to the sidecar."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def check_output(
    output: Path, versions: Mapping[str, str | None], sources: Sequence[Path], *, force: bool
) -> None:
    """Refuse to overwrite unasked, and ever to overwrite what is imported.

    Raises:
        UsageError: a file that would be written exists, or is one of the sources.
    """
    from ragguard.config.discovery import shown_path
    from ragguard.dataset.files import exists
    from ragguard.dataset.sidecar import sidecar_path

    imported = {source.resolve() for source in sources}
    written = [output, *([sidecar_path(output)] if any(versions.values()) else [])]
    for path in written:
        if exists(path) and not force:
            raise UsageError(f"{shown_path(path)} exists", hint="overwrite it with --force")
        if path.resolve() in imported:
            raise UsageError(
                f"{shown_path(path)} is what is imported", hint="write the dataset to another file"
            )


def write(
    output: Path, rows: Sequence[Mapping[str, Any]], versions: Mapping[str, str | None]
) -> None:
    """Write the dataset and say so.

    Raises:
        InputError: the place cannot be written to.
    """
    from ragguard.config.discovery import shown_path
    from ragguard.dataset.imports.joining import row_line
    from ragguard.dataset.imports.writing import write_dataset

    write_dataset(output, map(row_line, rows), versions)
    click.echo(f"{len(rows)} queries written to {shown_path(output)}")


def warn(notes: Iterable[str]) -> None:
    """Say what is doubtful or was left out."""
    for note in notes:
        echo(f"{click.style('warning:', fg='yellow')} {note}", err=True)
