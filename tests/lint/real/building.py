"""A real dataset put into a folder of its own, as its owner would set ragguard up for it."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from ragguard.cli.import_command import command
from tests import classic
from tests.shared_data import shared

DATASETS: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("datasets.yml").read_text("utf-8")
)
"""By name: where its files are, how they are mapped, and how many findings of which code are right.

Keys: one of `table` (imported by `ragguard import table`), `qrels` (by `ragguard import qrels`),
`rows` (linted as it is) and `classic`; `options` of the import and its `exit` code; `fields` by
canonical name; `manifest`; `suite`, further keys of the suite; `findings` by code.
"""

VERSIONS = ("--dataset-version", "1", "--corpus-version", "1")


def build(name: str, folder: Path, **changed: Any) -> Path:
    """Write dataset, manifest and configuration of a real dataset; the configuration's path.

    Skips the test when its files are not there.

    Args:
        name: key of `DATASETS`.
        folder: where everything is put.
        changed: keys of the entry that have another value.
    """
    entry = {**DATASETS[name], **changed}
    suite: dict[str, Any] = dict(entry.get("suite", {}))
    suite["dataset"] = _dataset(entry, folder)
    if "rows" in entry and "fields" in entry:
        suite["fields"] = entry["fields"]
    if "manifest" in entry:
        suite["corpus"] = "manifest.jsonl"
        with (folder / "manifest.jsonl").open("w", encoding="utf-8") as stream:
            for chunk in _chunks(entry["manifest"]):
                stream.write(json.dumps(chunk, ensure_ascii=False) + "\n")
        (folder / "manifest.meta.json").write_text('{"corpus_version": "1"}')
    config = folder / "ragguard.yml"
    config.write_text(yaml.safe_dump({"version": 1, "suites": {name: suite}}))
    return config


def _dataset(entry: Mapping[str, Any], folder: Path) -> list[str]:
    if "rows" in entry:
        source = shared(f"data/{entry['rows']}")
        shutil.copyfile(source, folder / "eval.jsonl")
        return ["eval.jsonl"]
    if "classic" in entry:
        collection = classic.read(shared(f"data/{entry['classic']}"), entry["name"])
        classic.write(collection, folder)
        given = ["qrels", folder / "qrels.trec", "--queries", folder / "queries.jsonl"]
    elif "qrels" in entry:
        paths = [shared(f"data/{entry[key]}") for key in ("qrels", "queries")]
        given = ["qrels", paths[0], "--queries", paths[1]]
    else:
        given = ["table", *(shared(f"data/{path}") for path in entry["table"])]
        for field, column in entry.get("fields", {}).items():
            given += ["--field", f"{field}={column}"]
    given += [*entry.get("options", ()), *VERSIONS, "--output", folder / "eval.jsonl"]
    done = CliRunner().invoke(command, [str(each) for each in given], standalone_mode=False)
    assert done.exception is None, done.exception
    assert done.return_value == entry.get("exit", 0), done.output
    return ["eval.jsonl"]


def _chunks(manifest: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The corpus of a dataset as chunks; what its owner would write in a few lines."""
    path = shared(f"data/{manifest['file']}")
    if manifest.get("form") == "smart":
        for chunk_id, text in classic.blocks(path):
            yield {"id": chunk_id, "text": text}
        return
    for row in _records(path, manifest):
        text = "\n".join(str(row[name]) for name in manifest.get("text", ()) if row.get(name))
        yield {"id": row[manifest["id"]], "text": text}


def _records(path: Path, manifest: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    content = path.read_text("utf-8")
    if path.suffix == ".csv":
        yield from csv.DictReader(content.splitlines(keepends=True))
    elif path.suffix == ".jsonl":
        yield from map(json.loads, content.split("\n")[:-1])
    elif path.suffix == ".txt":
        for section in re.split(r"^## ", content, flags=re.MULTILINE)[1:]:
            for chunk_id in re.findall(r"DOC_\w+", section)[:1]:
                yield {"id": chunk_id, "text": section}
    else:
        decoded = json.loads(content)
        if "at" in manifest:
            for chunk_id, text in decoded[manifest["at"]].items():
                yield {"id": chunk_id, "text": text}
            return
        yield from decoded
