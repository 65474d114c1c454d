"""Whether a manifest says something else than at a commit, under the same version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ragguard.config.model import Config, Suite
from ragguard.corpus.content import ManifestContent, content_of
from ragguard.corpus.manifest import Manifest, open_manifest
from ragguard.dataset.files import exists
from ragguard.errors import InputError
from ragguard.lint.base.place import BasePlace


@dataclass(frozen=True, slots=True)
class CorpusChange:
    """A manifest that changed while its version did not.

    Attributes:
        manifest: today's.
        before, after: how many chunks it listed and lists.
    """

    manifest: Manifest
    version: str
    before: int
    after: int


def corpus_change(
    place: BasePlace, suite: Suite, config: Config
) -> tuple[CorpusChange | None, tuple[str, ...]]:
    """How a suite's manifest changed under one version, and notes on what was not compared."""
    then = place.suite.corpus
    if suite.corpus is None or then is None or not exists(config.root / suite.corpus):
        return None, ()
    # One that is named by --corpus is compared with itself.
    is_given = Path(suite.corpus).is_absolute()
    names = place.tree.match([suite.corpus if is_given else then], place.folder)
    if not names:
        return None, (f"{suite.name}: {suite.corpus} is new since {place.ref}",)
    name, path = names[0], config.root / suite.corpus
    if place.tree.name_of(path) == name and not place.tree.changed([name]):
        return None, ()
    try:
        now = open_manifest(path)
        with place.tree.copy(name) as copy:
            before = open_manifest(copy)
            if now.corpus_version is None or now.corpus_version != before.corpus_version:
                return None, ()
            contents = content_of(before), content_of(now)
    except InputError as error:
        return None, (f"{name} of {place.ref} is not compared: {error.message}",)
    return _change(now, now.corpus_version, *contents), ()


def _change(
    manifest: Manifest, version: str, before: ManifestContent, after: ManifestContent
) -> CorpusChange | None:
    if not after.differs_from(before):
        return None
    return CorpusChange(manifest, version, before.count, after.count)
