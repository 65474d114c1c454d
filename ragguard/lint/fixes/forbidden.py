"""Fixes of labels that only the corpus can judge, taken back where they would lose a label."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.finding import quoted
from ragguard.lint.fixes.literal import trimmed

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest
    from ragguard.corpus.view import ManifestView

_TRIMMED, _QUOTED = "RG106", "RG111"
_MOST_EXPLAINED = 20


def needs_corpus(found: Diagnostic) -> bool:
    """Whether a finding has a fix that is one only if the corpus says so."""
    return found.fix is not None and found.code in {_TRIMMED, _QUOTED}


def without_forbidden(
    found: Collection[Diagnostic],
    labels: Iterable[str],
    manifest: Manifest,
    view: ManifestView,
) -> list[Diagnostic]:
    """The findings, without the fixes that the corpus forbids.

    Labels are not trimmed when the corpus itself has ids with white space around them. A number is
    not put in quotes when the corpus lacks that text, but has an id that number inference turns
    into this number.

    Args:
        found: the findings in rows.
        labels: the labelled ids.
        manifest: the corpus.
        view: what it knows of the labels.

    Raises:
        InputError: the manifest cannot be read any more.
    """
    padded = any(each.code == _TRIMMED for each in found) and any(
        trimmed(chunk_id) != chunk_id and chunk_id not in view.missing for chunk_id in labels
    )
    originals = _originals(frozenset(_digits(found)), manifest)
    return [_permitted(each, padded, originals) for each in found]


def _permitted(found: Diagnostic, padded: bool, originals: dict[str, str]) -> Diagnostic:
    if found.code == _TRIMMED and padded:
        return found.without_fix("the corpus has ids with white space around them")
    hint = originals.get(_digits_of(found) or "")
    return found if hint is None else replace(found, fix=None, hint=hint)


def _originals(texts: frozenset[str], manifest: Manifest) -> dict[str, str]:
    """For texts that the corpus lacks what to do, where they are what is left of its ids."""
    if not texts:
        return {}
    missing = sorted(manifest.view(texts).missing)[:_MOST_EXPLAINED]
    nearest = manifest.nearest(missing) if missing else {}
    return {
        text: f"{quoted(nears[0].chunk_id)} lost {nears[0].difference} to number inference; "
        "label it as a text"
        for text, nears in nearest.items()
        if nears and nears[0].is_number
    }


def _digits(found: Iterable[Diagnostic]) -> Iterator[str]:
    return (digits for each in found if (digits := _digits_of(each)) is not None)


def _digits_of(found: Diagnostic) -> str | None:
    """The text that a fix makes of a label that is a number; None for any other finding."""
    if found.code != _QUOTED or found.fix is None or found.fix.query_id is not None:
        return None
    text = json.loads(found.fix.edits[0].replacement)
    return text if isinstance(text, str) else None
