"""From the paths of a command line to suites and files that are linted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragguard.config.discovery import CONFIG_NAME, find_config, shown_path
from ragguard.config.model import Config, Scoring, Suite
from ragguard.dataset.files import MatchedFiles, exists, match_files, real_path
from ragguard.dataset.lines import read_lines
from ragguard.dataset.sidecar import sidecar_path
from ragguard.errors import ConfigError, InputError, UsageError
from ragguard.lint.file_globs import glob_matches, path_from
from ragguard.lint.piped import PipedFile
from ragguard.metrics.name import Metric

LINES_ENDINGS = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
SIDECAR_ENDING = ".meta.json"
DATASET_ENDINGS = (*LINES_ENDINGS, ".json")


@dataclass(slots=True)
class ConfiguredPaths:
    """A configuration and the paths that were given of its realm.

    Attributes:
        paths: None for all suites.
    """

    config: Path
    paths: list[Path] | None = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Targets:
    """What a command line asks for.

    Attributes:
        configured: by configuration.
        files: datasets outside of any configuration, each alone.
        notes: paths that were left out, and why.
    """

    configured: tuple[ConfiguredPaths, ...]
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def find_targets(
    paths: Sequence[Path], config: Path | None, start: Path, *, by_hook: bool = False
) -> Targets:
    """Sort paths by the configuration that governs each.

    Args:
        paths: as given; empty means everything of the configuration.
        config: the configuration given, which then governs all paths.
        start: where to look for one when no path is given.
        by_hook: whether nobody named the paths: they are what changed, datasets or not. What is
            gone may have been of any suite, so all suites of its realm are looked at.

    Raises:
        UsageError: a path does not exist, or a folder has nothing to lint.
        ConfigError: no path is given and no configuration is found.
    """
    if not paths:
        return Targets((ConfiguredPaths(config or _config_at(start), None),), ())
    governed: dict[Path, ConfiguredPaths] = {}
    lone: list[Path] = []
    for path in paths:
        is_gone = not exists(path)
        if is_gone and not by_hook:
            raise UsageError(f"{shown_path(path)} does not exist", hint="name a file or folder")
        _refuse_pipe(path)
        found = config or find_config(path)
        if found is None:
            lone.append(path)
            continue
        target = governed.setdefault(real_path(found), ConfiguredPaths(found))
        resolved = real_path(path)
        if is_gone or resolved in {real_path(found), real_path(found.parent)}:
            target.paths = None
        elif target.paths is not None:
            target.paths.append(path)
    files, notes = _changed_datasets(lone) if by_hook else _without_config(lone)
    if lone and not by_hook and not files and not governed:
        raise UsageError(
            f"nothing to lint: {notes[0].removesuffix(': skipped')}, and no {CONFIG_NAME} names it",
            hint="a dataset is a .jsonl file with one row a line",
        )
    return Targets(tuple(governed.values()), tuple(files), tuple(notes))


def piped_target(piped: PipedFile, config: Path | None) -> Targets:
    """What a dataset that is read from a pipe is linted as: by its configuration, or alone."""
    found = (config or find_config(piped.path)) if piped.has_name else None
    if found is None:
        return Targets((), (piped.path,))
    return Targets((ConfiguredPaths(found, [piped.path]),), ())


def _config_at(start: Path) -> Path:
    found = find_config(start)
    if found is None:
        raise ConfigError(
            f"no {CONFIG_NAME} found from {shown_path(start)} upwards to the repository's root",
            hint="name datasets to lint, or a configuration with --config",
        )
    return found


def _without_config(paths: Iterable[Path]) -> tuple[list[Path], list[str]]:
    """The datasets among paths that someone named, and what is said of the others."""
    files: list[Path] = []
    notes: list[str] = []
    for path in paths:
        if path.is_dir():
            below = list(_datasets_below(path))
            if not below:
                raise UsageError(
                    f"nothing to lint in {shown_path(path)}: no {CONFIG_NAME}, "
                    "and no dataset below",
                    hint="a dataset is a .jsonl file whose rows have a query",
                )
            files.extend(below)
        elif path.name.endswith(SIDECAR_ENDING) and (owners := _datasets_beside(path)):
            files.extend(owners)
        elif path.name.endswith(DATASET_ENDINGS) and not path.name.endswith(SIDECAR_ENDING):
            files.append(path)
        else:
            notes.append(f"{shown_path(path)} is no JSON Lines: skipped")
    return files, notes


def _datasets_beside(sidecar: Path) -> list[Path]:
    """The datasets whose sidecar a file is."""
    stem = sidecar.name.removesuffix(SIDECAR_ENDING)
    beside = (sidecar.with_name(stem + ending) for ending in DATASET_ENDINGS)
    return [path for path in beside if path.is_file()]


def _refuse_pipe(path: Path) -> None:
    """A pipe gives its rows but once, and only to who waits for them.

    Raises:
        UsageError: a path is a pipe or a device.
    """
    if exists(path) and not path.is_file() and not path.is_dir():
        raise UsageError(
            f"{shown_path(path)} is no file but a pipe or a device",
            hint=f"read it from stdin: `ragguard lint - < {shown_path(path)}`",
        )


def _changed_datasets(paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The datasets among files that changed, and a note that others were passed over."""
    files = [path for path in paths if path.name.endswith(LINES_ENDINGS) and _is_dataset(path)]
    left = len(paths) - len(files)
    told = f"{left} changed {'file is' if left == 1 else 'files are'} of no suite and no dataset"
    return files, [f"{told}: no {CONFIG_NAME} names them"] if left else []


def _datasets_below(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(where, name)
            if name.endswith((".jsonl", ".jsonl.gz")) and _may_be_dataset(path):
                yield path


def _may_be_dataset(path: Path) -> bool:
    """Whether it is not plainly something else: a manifest or a log, by its first line."""
    if path.name.endswith(".gz"):
        return True
    first = _first_value(path)
    return not isinstance(first, dict) or _has_query(first)


def _is_dataset(path: Path) -> bool:
    """Whether its first line is that of a dataset."""
    first = _first_value(path)
    return isinstance(first, dict) and _has_query(first)


def _has_query(row: Mapping[str, Any]) -> bool:
    return not row.keys().isdisjoint({"query_id", "query"})


def _first_value(path: Path) -> Any:
    """What stands on the first line of a file; None when it is no JSON: others explain it."""
    try:
        first = next(read_lines(path, shown_path(path)), None)
        return None if first is None else json.loads(first.content)
    except (InputError, ValueError, RecursionError):
        return None


def touched_suites(config: Config, paths: Iterable[Path] | None) -> list[Suite]:
    """The suites that own any of these files, or any file below these folders; all for None.

    A suite owns its datasets, its manifest and their sidecars.
    """
    if paths is None:
        return list(config.suites.values())
    wanted = [real_path(path) for path in paths]
    return [suite for suite in config.suites.values() if _owns_any(suite, config.root, wanted)]


def suite_files(suite: Suite, root: Path, stand_ins: Iterable[Path] = ()) -> MatchedFiles:
    """The datasets of a suite; with those for which there is a stand-in and no file (yet).

    Args:
        suite: the suite.
        root: the configuration's folder.
        stand_ins: resolved paths for which something else is read.
    """
    matched = match_files(suite.dataset, root)
    new = [path for path in stand_ins if not exists(path) and has_dataset(suite, root, path)]
    if not new:
        return matched
    unmatched = (
        pattern
        for pattern in matched.unmatched
        if not any(_means(pattern, root, path) for path in new)
    )
    return MatchedFiles((*matched.files, *new), tuple(unmatched))


def has_dataset(suite: Suite, root: Path, path: Path) -> bool:
    """Whether a file is, or would be if it were there, a dataset of a suite."""
    return any(_means(pattern, root, path) for pattern in suite.dataset)


def _means(pattern: str, root: Path, path: Path) -> bool:
    resolved = real_path(path)
    written = path_from(real_path(root), resolved)
    return real_path(root / pattern) == resolved or glob_matches(f"/{pattern}", written)


def _owns_any(suite: Suite, root: Path, wanted: Sequence[Path]) -> bool:
    files = {real_path(path) for path in owned_files(suite, root)}
    folders = {folder for file in files for folder in file.parents}
    return any(path in files or path in folders for path in wanted)


def owned_files(suite: Suite, root: Path) -> list[Path]:
    """The datasets of a suite, its manifest, and where the sidecars of them are or would be."""
    owned = list(match_files(suite.dataset, root).files)
    if suite.corpus is not None:
        owned.append(root / suite.corpus)
    return owned + [sidecar_path(path) for path in owned]


def lone_config(path: Path, corpus: Path | None) -> Config:
    """A configuration of one suite for a dataset that belongs to none."""
    suite = Suite(
        name=shown_path(path),
        dataset=(str(path.absolute()),),
        scoring=Scoring(primary=Metric("evidence", 5)),
        corpus=str(corpus.absolute()) if corpus else None,
    )
    return Config(root=Path.cwd(), suites={suite.name: suite})


def with_corpus(config: Config, corpus: Path) -> Config:
    """The configuration with another manifest for every suite."""
    suites = {
        name: replace(suite, corpus=str(corpus.absolute())) for name, suite in config.suites.items()
    }
    return replace(config, suites=suites)
