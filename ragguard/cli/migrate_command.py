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
    help="Manifest of the old cut: then changes of access are refused, of document told.",
)
@click.option(
    "--corpus",
    "--to",
    "corpus",
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
@click.option(
    "--propose", is_flag=True, help="With --from: write a mapping to review; change no dataset."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --propose: where to write the mapping (CSV).",
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
    propose: bool,
    output: Path | None,
    diff: bool,
) -> None:
    """Move the labels of datasets to new chunk ids by a mapping that a person reviewed.

    PATHS are datasets or folders; without any, all datasets of ragguard.yml. MAP has a header
    old,new; an old id may have several new ones (several rows, or joined by |), and no new one
    when its chunk is gone. Other columns are ignored. All else in the rows stays as it is.

    Exits 0 when done, 2 when something is wrong; then nothing is written.

    \b
    Examples:
      ragguard migrate --propose --from old/manifest.jsonl -o map.csv
      ragguard migrate --map map.csv --diff
      ragguard migrate --map map.csv
      ragguard migrate --map map.csv eval/docs.jsonl --corpus corpus/manifest.jsonl
      ragguard migrate --map map.csv --from old/manifest.jsonl --drop-gone
    """
    from ragguard.cli.output import deliver, tell
    from ragguard.config.discovery import shown_path
    from ragguard.lint.fixes.file_difference import unified_diff
    from ragguard.migration.label_map import read_label_map
    from ragguard.migration.migrating import MigrationRequest, migrate
    from ragguard.render.migration_text import migration_notes, migration_text

    if propose:
        _propose(paths, config, before, corpus, output, is_alone=mapping is None)
        return
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
            tell("", f"changed {file.source.shown}")
    deliver(migration_text(done, is_written=not diff), None, err=diff, for_people=True)
    for note in migration_notes(done):
        tell(click.style("note:", bold=True), note)


def _propose(
    paths: tuple[Path, ...],
    config: Path | None,
    before: Path | None,
    corpus: Path | None,
    output: Path | None,
    *,
    is_alone: bool,
) -> None:
    """Write a mapping for a person to review."""
    import csv
    import io

    from ragguard.cli.output import deliver, tell
    from ragguard.config.discovery import shown_path
    from ragguard.corpus.manifest import open_manifest
    from ragguard.dataset.files import exists
    from ragguard.lint.labels import ids_of
    from ragguard.migration.datasets import named_datasets
    from ragguard.migration.migrating import sound_rows
    from ragguard.migration.proposing import propose, table
    from ragguard.render.wording import plural

    if before is None or output is None or not is_alone:
        raise UsageError(
            "--propose takes the manifest of the old cut and the file to write, and no --map",
            hint="ragguard migrate --propose --from old/manifest.jsonl -o map.csv",
        )
    if exists(output):
        raise UsageError(
            f"{shown_path(output)} exists", hint="a reviewed mapping is not overwritten: move it"
        )
    sources = named_datasets(paths, config, corpus)
    manifests = {each for source in sources for each in source.corpora}
    if len(manifests) != 1:
        raise UsageError(
            f"the datasets have {plural(len(manifests), 'corpus', 'corpora')}, not one",
            hint="name the manifest of the new cut: --to corpus/manifest.jsonl",
        )
    labels = {
        each for source in sources for row in sound_rows(source) for each in ids_of(row.fields)
    }
    found = propose(labels, open_manifest(before), open_manifest(manifests.pop()))
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(table(found))
    deliver(written.getvalue(), output)
    undecided = [each.old for each in found if not each.new]
    click.echo(
        f"{plural(len(found) - len(undecided), 'move')} proposed, {len(undecided):,} undecided "
        f"of {plural(len(labels), 'label')}: review {shown_path(output)}"
    )
    nowhere = [each.old for each in found if each.reason == "in no manifest"]
    if nowhere:
        told = f"in no manifest: {', '.join(nowhere[:5])}{' …' if len(nowhere) > 5 else ''}"
        tell(click.style("note:", bold=True), told)
