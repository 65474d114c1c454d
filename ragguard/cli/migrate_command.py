"""`ragguard migrate`: move labels to new chunk ids by a reviewed mapping."""

from __future__ import annotations

from pathlib import Path

import click

from ragguard.errors import UsageError


@click.command(short_help="Move labels to new chunk ids by a reviewed mapping.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--map",
    "mapping",
    type=click.Path(path_type=Path),
    metavar="MAP",
    help="Mapping from old to new ids: CSV or TSV with the columns old and new, or JSON.",
)
@click.option(
    "--from",
    "before",
    type=click.Path(path_type=Path),
    metavar="MANIFEST",
    help="Manifest of the old cut: whether access or document change is looked at.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="MANIFEST",
    help="Manifest of the new cut, in place of the configured one.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration. Default: ragguard.yml upwards from each path.",
)
@click.option("--drop-gone", is_flag=True, help="Remove labels whose new id is empty.")
@click.option(
    "--allow-access-change",
    is_flag=True,
    help="With --from: others may see a new chunk than the old one.",
)
@click.option("--diff", is_flag=True, help="Show what would change; change nothing.")
def command(
    paths: tuple[Path, ...],
    mapping: Path | None,
    before: Path | None,
    corpus: Path | None,
    config: Path | None,
    drop_gone: bool,
    allow_access_change: bool,
    diff: bool,
) -> None:
    """Move the labels of datasets to new chunk ids by a mapping that a person reviewed.

    PATHS are datasets or folders; without any, all datasets of ragguard.yml. MAP has a header
    old,new; an old id may have several new ones (several rows, or joined by |), and no new one
    when its chunk is gone. Other columns are ignored. All else in the rows stays as it is.

    Exits 0 when done, 2 when something is wrong; then nothing is written.

    \b
    Examples:
      ragguard migrate --map map.csv --diff
      ragguard migrate --map map.csv
      ragguard migrate --map map.csv eval/docs.jsonl --corpus corpus/manifest.jsonl
      ragguard migrate --map map.csv --from old/manifest.jsonl --drop-gone
    """
    from ragguard.cli.output import deliver
    from ragguard.config.discovery import shown_path
    from ragguard.lint.file_difference import unified_diff
    from ragguard.migration.label_map import read_label_map
    from ragguard.migration.migrating import MigrationRequest, migrate
    from ragguard.render.migration_text import migration_notes, migration_text

    if mapping is None:
        raise UsageError(
            "no mapping is given", hint="name it: `ragguard migrate --map map.csv`; see --help"
        )
    request = MigrationRequest(
        label_map=read_label_map(mapping, shown_path(mapping)),
        paths=paths,
        config=config,
        corpus=corpus,
        before=before,
        drop_gone=drop_gone,
        allow_access_change=allow_access_change,
    )
    done = migrate(request)
    if diff:
        deliver((unified_diff(file) for file in done.files), None)
    else:
        for file in done.files:
            file.write()
            click.echo(f"changed {file.source.shown}", err=True)
    deliver(migration_text(done, is_written=not diff), None, err=diff, for_people=True)
    for note in migration_notes(done):
        deliver(f"{click.style('note:', bold=True)} {note}\n", None, err=True, for_people=True)
