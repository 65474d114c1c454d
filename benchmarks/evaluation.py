"""Evaluating 5,000 queries of 20 results with a python retriever that answers at once.

ragguard (cold start, worker process, all measures, report) against two plain scripts that call the
same function and score with dicts and sets: one that prints recall@5 and nothing else, and one
that computes the usual measures by category and writes them down. All are whole processes, run in
turn.

    python benchmarks/evaluation.py [QUERIES]
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 5
LIMIT = 6.0

RETRIEVER = """
import zlib
def retrieve(query, limit):
    start = zlib.crc32(query.encode()) % 1000
    return [f"chunk-{(start + step * 7) % 1000:04d}" for step in range(limit)]
"""

BARE = """
import json
from app import retrieve
values = []
for line in open("eval.jsonl"):
    row = json.loads(line)
    ranking = retrieve(row["query"], 20)
    relevant = set(row["relevant_ids"])
    values.append(len(relevant & set(ranking[:5])) / len(relevant))
print(sum(values) / len(values))
"""
"""One number: recall@5."""

SCRIPT = """
import json, math
from app import retrieve
results, by_category = [], {}
for line in open("eval.jsonl"):
    row = json.loads(line)
    ranking = retrieve(row["query"], 20)
    relevant = set(row["relevant_ids"])
    found = [rank for rank, chunk in enumerate(ranking, 1) if chunk in relevant]
    metrics = {"rr": 1 / found[0] if found else 0.0}
    for k in (1, 3, 5, 10):
        hits = len(relevant & set(ranking[:k]))
        metrics[f"recall@{k}"] = hits / len(relevant)
        metrics[f"precision@{k}"] = hits / k
        metrics[f"hit@{k}"] = float(hits > 0)
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
        metrics[f"ndcg@{k}"] = sum(1 / math.log2(r + 1) for r in found if r <= k) / ideal
    results.append({"id": row["query_id"], "ranking": ranking, "metrics": metrics})
    by_category.setdefault(row["category"], []).append(metrics)
def means(rows):
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
summary = {name: means(rows) for name, rows in by_category.items()}
summary["all"] = means([result["metrics"] for result in results])
with open("results.jsonl", "w") as stream:
    for result in results:
        stream.write(json.dumps(result) + "\\n")
    stream.write(json.dumps(summary))
"""
"""What teams write: the usual measures at four cutoffs, means by category, results as a file."""

CONFIG = """
version: 1
suites:
  docs:
    dataset: eval.jsonl
    retriever: {python: "app:retrieve"}
"""


def prepare(folder: Path, queries: int) -> None:
    """Write the dataset, the retriever, the plain scripts and the configuration."""
    (folder / "app.py").write_text(RETRIEVER)
    (folder / "bare.py").write_text(BARE)
    (folder / "script.py").write_text(SCRIPT)
    (folder / "ragguard.yml").write_text(CONFIG)
    with (folder / "eval.jsonl").open("w") as stream:
        for number in range(queries):
            row = {
                "query_id": f"q{number:05d}",
                "query": f"what is known of subject number {number} and its neighbours?",
                "relevant_ids": [f"chunk-{number % 1000:04d}", f"chunk-{number * 3 % 1000:04d}"],
                "category": f"area-{number % 7}",
            }
            row["relevant_ids"] = list(dict.fromkeys(row["relevant_ids"]))
            stream.write(json.dumps(row) + "\n")


def seconds(command: list[str], folder: Path) -> float:
    """Wall-clock seconds of one process, which must succeed."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main() -> int:
    """Run the three in turn and print medians and ratios."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    commands = {
        "ragguard eval": [sys.executable, "-m", "ragguard", "eval", "--quiet"],
        "plain script": [sys.executable, "script.py"],
        "bare loop": [sys.executable, "bare.py"],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, queries)
        rounds = [
            {what: seconds(command, folder) for what, command in commands.items()}
            for _ in range(RUNS)
        ]
    for what in commands:
        print(f"{what:14} {statistics.median(each[what] for each in rounds):.3f} s")
    ratios = {
        what: statistics.median(each["ragguard eval"] / each[what] for each in rounds)
        for what in list(commands)[1:]
    }
    for what, ratio in ratios.items():
        print(f"ratio to the {what}: {ratio:.2f}")
    print(f"limit, to the plain script: {LIMIT:g}")
    return ratios["plain script"] > LIMIT


if __name__ == "__main__":
    sys.exit(main())
