"""The classic collections in SMART format, converted for ragguard and for its oracles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_OTHER_NAMES = {"cacm": ("cacm.all", "query.text", "qrels.text")}

FOLDER = "data/classic/luppar/data"


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection as its files have it.

    Attributes:
        documents: text by id.
        queries: text by id.
        qrels: relevant ids by query id.
    """

    documents: dict[str, str]
    queries: dict[str, str]
    qrels: dict[str, list[str]]


def read(folder: Path, name: str) -> Collection:
    """Read NAME.ALL, NAME.QRY and NAME.REL; or those of CACM, which have other names."""
    names = _OTHER_NAMES.get(name, (f"{name}.ALL", f"{name}.QRY", f"{name}.REL"))
    documents, queries, judgments = (folder / each for each in names)
    return Collection(
        documents=dict(blocks(documents)),
        queries=dict(blocks(queries)),
        qrels=_relevant(judgments),
    )


def blocks(path: Path) -> Iterator[tuple[str, str]]:
    """Id and text (title and words) of every `.I` block of documents or queries."""
    text = "\n" + path.read_text(encoding="latin-1").replace("\r\n", "\n")
    for block in text.split("\n.I ")[1:]:
        number, _, rest = block.partition("\n")
        parts = ("\n" + rest).split("\n.")
        kept = [part[1:] for part in parts if part[:1] in {"T", "W"}]
        yield number.strip(), " ".join(" ".join(kept).split())


def _relevant(path: Path) -> dict[str, list[str]]:
    """MED has TREC's four columns; ADI and CISI have query, document and two zeros."""
    qrels: dict[str, list[str]] = {}
    for line in path.read_text(encoding="latin-1").splitlines():
        columns = line.split()
        if not columns:
            continue
        has_grade = columns[1] == "0" and columns[3] == "1"
        chunk_id = columns[2] if has_grade else columns[1]
        relevant = qrels.setdefault(columns[0].lstrip("0"), [])  # CACM's queries are 01, 02 …
        if chunk_id not in relevant:
            relevant.append(chunk_id)
    return qrels


def write(collection: Collection, folder: Path) -> None:
    """Write the manifest, and TREC qrels and queries as `ragguard import qrels` takes them."""
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as stream:
        for chunk_id, text in collection.documents.items():
            stream.write(json.dumps({"id": chunk_id, "text": text}) + "\n")
    with (folder / "queries.jsonl").open("w", encoding="utf-8") as stream:
        for query_id, text in collection.queries.items():
            stream.write(json.dumps({"_id": query_id, "text": text}) + "\n")
    with (folder / "qrels.trec").open("w", encoding="utf-8") as stream:
        for query_id, relevant in collection.qrels.items():
            stream.writelines(f"{query_id} 0 {chunk_id} 1\n" for chunk_id in relevant)
