"""What a manifest knows of the asked ids, however large it is and however it is decoded."""

from __future__ import annotations

import hashlib
import json
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from ragguard.corpus import blocks
from ragguard.corpus.manifest import open_manifest
from ragguard.corpus.view import ManifestView
from ragguard.dataset import lines

IDS = st.sampled_from(["a", "b", "c", "doc"])
ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": IDS},
        optional={
            "parent_id": st.sampled_from(["doc", "a", None]),
            "status": st.sampled_from(["active", "withdrawn", None]),
            "effective_to": st.just("2026-01-01"),
            "superseded_by": st.just("b"),
            "text": st.text("xy: é", max_size=3),
            "sha256": st.sampled_from(["AB" * 32, None]),
        },
    ),
    min_size=1,
    max_size=8,
)


def naively(rows: list[dict[str, Any]], asked: set[str], digested: set[str]) -> ManifestView:
    """The same row by row, in the plainest way."""
    first: dict[str, dict[str, Any]] = {}
    places: dict[str, list[int]] = {}
    for number, row in enumerate(rows, 1):
        first.setdefault(row["id"], row)
        places.setdefault(row["id"], []).append(number)
    found = {id_: row for id_, row in first.items() if id_ in asked}
    digests = {}
    for id_ in digested & found.keys():
        if found[id_].get("sha256"):
            digests[id_] = found[id_]["sha256"].lower()
        elif "text" in found[id_]:
            digests[id_] = hashlib.sha256(found[id_]["text"].encode()).hexdigest()
    return ManifestView(
        missing=frozenset(asked - found.keys()),
        notable={  # type: ignore[arg-type]  # compared by their facts below
            id_: row
            for id_, row in found.items()
            if row.get("status") == "withdrawn"
            or row.get("effective_to")
            or row.get("superseded_by")
        },
        digests=digests,
        duplicates={i: tuple(n) for i, n in places.items() if i in asked and len(n) > 1},
        parents={
            id_: count
            for id_ in asked
            if (count := sum(row.get("parent_id") == id_ for row in rows))
        },
        count=len(rows),
    )


@given(ROWS, st.sets(IDS | st.just("gone")), st.sets(IDS), st.sampled_from([2, 40, 1 << 16]))
def test_a_view_is_what_looking_row_by_row_finds(
    rows: list[dict[str, Any]], asked: set[str], digested: set[str], size: int
) -> None:
    """By blocks of any size, and line by line."""
    expected = naively(rows, asked, digested & asked)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.jsonl"
        path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
        manifest = open_manifest(path)
        for few in (0, 2):
            with (
                patch.object(blocks, "FEW_BLOCKS", few),
                patch.multiple(lines, _FIRST_BLOCK=size, _BLOCK=size),
            ):
                view = manifest.view(asked, digested & asked)
            assert view.missing == expected.missing
            assert view.notable.keys() == expected.notable.keys()
            for id_, chunk in view.notable.items():
                row = expected.notable[id_]
                assert chunk.status == (row.get("status") or "active")  # type: ignore[attr-defined]
                assert (chunk.title, chunk.text) == (None, None)
            assert view.digests == expected.digests
            assert view.duplicates == expected.duplicates
            assert view.parents == expected.parents
            assert view.count == expected.count


def test_an_asked_id_costs_one_entry_while_it_is_looked_for(tmp_path: Path) -> None:
    """Of 100,000 asked ids that are all there: a set of them, and nothing of what is known."""
    path = tmp_path / "m.jsonl"
    count = 100_000
    with path.open("w") as stream:
        for number in range(count):
            stream.write(f'{{"id": "chunk-{number:06d}", "parent_id": "d", "status": "active"}}\n')
    asked = {f"chunk-{number:06d}" for number in range(count)}
    manifest = open_manifest(path)
    tracemalloc.start()
    view = manifest.view(asked)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not view.missing
    assert kept < 100_000
    assert peak < 64 * count + 4_000_000
