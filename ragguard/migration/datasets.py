"""The datasets that a command line names, each with its suite and the manifests of its suites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ragguard.atomic import FileState
from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, Suite
from ragguard.config.reading import read_config
from ragguard.dataset.files import match_files, real_path
from ragguard.dataset.lines import open_plain, unreadable
from ragguard.errors import InputError, UsageError
from ragguard.lint.result import SourceFile
from ragguard.lint.targets import find_targets, lone_config, touched_suites, with_corpus
from ragguard.location import Location


def named_datasets(
    paths: Sequence[Path], config: Path | None, corpus: Path | None
) -> list[SourceFile]:
    """Each dataset once, in the order of paths and suites.

    Args:
        paths: files and folders; empty for all that the configuration names. Of a suite those
            datasets are meant that are named or lie below a folder; all of it when its manifest is.
        config: the configuration, None to look for it.
        corpus: a manifest in place of the configured ones.

    Raises:
        UsageError, ConfigError: a path does not exist, or no configuration is found, or not valid;
            suites that share a file map its fields in two ways.
        InputError: nothing matches a suite's dataset, or a file cannot be read.
    """
    targets = find_targets(paths, config, Path.cwd())
    found: dict[Path, SourceFile] = {}
    for target in targets.configured:
        read = read_config(target.config)
        read = with_corpus(read, corpus) if corpus else read
        for source in _of_config(read, target.paths):
            _add(found, source)
    for path in targets.files:
        lone = lone_config(path, corpus)
        for source in _of_config(lone, None):
            _add(found, source)
    if not found:
        named = ", ".join(map(shown_path, paths))
        raise UsageError(f"no dataset in {named}", hint="name a dataset of a suite")
    return list(found.values())


def _add(found: dict[Path, SourceFile], source: SourceFile) -> None:
    known = found.get(real_path(source.path))
    if known is not None and known.suite.fields != source.suite.fields:
        raise UsageError(
            f"the suites {known.suite.name!r} and {source.suite.name!r} read {source.shown} "
            "with different `fields`",
            hint="map its fields one way",
        )
    found[real_path(source.path)] = source.also_of(known) if known else source


def _of_config(config: Config, paths: Sequence[Path] | None) -> Iterator[SourceFile]:
    for suite in touched_suites(config, paths):
        matched = match_files(suite.dataset, config.root)
        if matched.unmatched:
            raise InputError(
                f"suite {suite.name!r}: nothing matches {matched.unmatched[0]!r}",
                hint="paths are relative to ragguard.yml",
            )
        named = [path for path in matched.files if paths is None or _is_named(path, paths)]
        for path in named or matched.files:
            yield _source(path, suite, config.root)


def _is_named(file: Path, paths: Sequence[Path]) -> bool:
    real = real_path(file)
    return any(named == real or named in real.parents for named in map(real_path, paths))


def _source(path: Path, suite: Suite, root: Path) -> SourceFile:
    shown = shown_path(path)
    try:
        state = FileState.of(path.stat())
        with open_plain(path) as stream:
            is_compressed = type(stream).__name__ == "GzipFile"
    except OSError as error:
        raise unreadable(error, shown) from error
    corpora = frozenset([root / suite.corpus] if suite.corpus is not None else [])
    source = SourceFile(path, shown, suite, state, is_compressed)
    return replace(source, corpora=corpora)


def refuse_compressed(source: SourceFile) -> None:
    """Refuse to rewrite gzip.

    Raises:
        InputError: the file is compressed.
    """
    if source.is_compressed:
        raise InputError(
            "gzip is not rewritten",
            location=Location(source.shown),
            hint="unpack the file, migrate it, and compress it again",
        )
