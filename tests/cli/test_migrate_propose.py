"""`ragguard migrate --propose`: what it proposes, with which confidence, and what it leaves."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from tests.cli.test_main import ragguard
from tests.lint.linting import write
from tests.shared_data import shared

CONFIG = "version: 1\nsuites:\n  docs:\n    dataset: docs.jsonl\n    corpus: new.jsonl\n"
LONG = "one two three four five six seven eight nine ten eleven twelve"


def proposed(folder: Path) -> dict[str, tuple[str, str, str]]:
    """New ids, confidence and reason by old id."""
    with (folder / "map.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {row["old"]: (row["new"], row["confidence"], row["reason"]) for row in rows}


def test_proposals_by_content_then_text(tmp_path: Path) -> None:
    """Shares by hand: LONG has ten runs of three words."""
    words = LONG.split()
    ids = ["same", "equal", "cut", "edited", "twice", "secret", "lost", "ghost"]
    old = {
        "same": "stays where it is",
        "equal": "alpha beta gamma delta",
        "cut": LONG,
        "edited": " ".join(f"w{n}" for n in range(12)),
        "twice": "a text that stands there twice",
        "secret": "only staff may read this",
        "lost": "nobody has this any more",
    }
    edited = " ".join(f"w{n}" for n in range(11)) + " other"
    write(
        tmp_path,
        {
            ".git/HEAD": "",
            "ragguard.yml": CONFIG,
            "docs.jsonl": [{"query_id": "q", "query": "?", "relevant_ids": ids}],
            "old.jsonl": [{"id": key, "text": text, "parent_id": "d"} for key, text in old.items()],
            "new.jsonl": [
                {"id": "same", "text": old["same"]},
                {"id": "n1", "text": old["equal"], "parent_id": "other"},
                {"id": "n2", "text": " ".join(words[:7]), "parent_id": "d"},
                {"id": "n3", "text": " ".join(words[5:]), "parent_id": "d"},
                {"id": "n4", "text": edited, "parent_id": "d"},
                {"id": "n5", "text": old["twice"], "parent_id": "d"},
                {"id": "n6", "text": old["twice"], "parent_id": "d"},
                {"id": "n7", "text": old["secret"], "parent_id": "d", "access": ["staff"]},
            ],
        },
    )
    done = ragguard("migrate", "--propose", "--from", "old.jsonl", "-o", "map.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "3 moves proposed, 4 undecided of 8 labels: review map.csv\n"
    assert "in no manifest: ghost" in done.stderr
    assert proposed(tmp_path) == {
        "equal": ("n1", "1.00", "equal content"),
        "cut": ("n2|n3", "1.00", "text, same document"),
        "edited": ("n4", "0.90", "text, same document"),
        "twice": ("?", "", "several of equal content"),
        "secret": ("?", "", "others may see it"),
        "lost": ("?", "", "nothing like it"),
        "ghost": ("?", "", "in no manifest"),
    }
    before = (tmp_path / "docs.jsonl").read_bytes()
    refused = ragguard("migrate", "--map", "map.csv", cwd=tmp_path)
    assert (refused.returncode, "'ghost' is undecided" in refused.stderr) == (2, True)
    assert (tmp_path / "docs.jsonl").read_bytes() == before
    again = ragguard("migrate", "--propose", "--from", "old.jsonl", "-o", "map.csv", cwd=tmp_path)
    assert (again.returncode, "map.csv exists" in again.stderr) == (2, True)


def test_a_real_renaming_is_found_from_the_two_corpora(tmp_path: Path) -> None:
    """232 sections got other ids: what is proposed is what the maintainers did by hand."""
    folder = shared("data/history/anthropic-cookbook")
    prefix = "skills__retrieval_augmented_generation__"

    def version(name: str, number: str) -> list[dict[str, Any]]:
        found = next((folder / (prefix + name)).glob(f"{number}-*"))
        return list(json.loads(found.read_text(encoding="utf-8")))

    old, new = (
        [
            {"id": each["chunk_link"], "text": each["text"]}
            for each in version("data__anthropic_docs.json", number)
        ]
        for number in ("v02", "v03")
    )
    rows, later = (
        version("evaluation__docs_evaluation_dataset.json", number) for number in ("v02", "v03")
    )
    fields = "    fields: {query_id: id, query: question, relevant_ids: correct_chunks}\n"
    write(
        tmp_path,
        {
            ".git/HEAD": "",
            "ragguard.yml": CONFIG + fields,
            "docs.jsonl": rows,
            "old.jsonl": old,
            "new.jsonl": new,
        },
    )
    done = ragguard("migrate", "--propose", "--from", "old.jsonl", "-o", "map.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    meant = {
        one: other
        for before, after in zip(rows, later, strict=True)
        for one, other in zip(before["correct_chunks"], after["correct_chunks"], strict=True)
    }
    found = {old_id: new_id for old_id, (new_id, _, _) in proposed(tmp_path).items()}
    assert found == meant
    assert len(found) == 124
    carried = ragguard("migrate", "--map", "map.csv", "--from", "old.jsonl", cwd=tmp_path)
    assert carried.returncode == 0, carried.stderr
    lines = (tmp_path / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    gold = [json.loads(line)["correct_chunks"] for line in lines]
    assert gold == [row["correct_chunks"] for row in later]
