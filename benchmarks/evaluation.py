"""Evaluating 5,000 queries of 20 results with a python retriever that answers at once.

ragguard (cold start, worker process, all measures, report) against a plain script that calls the
same function and scores recall@5 with dicts and sets. Both are whole processes, run in turn.

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

PLAIN = """
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

CONFIG = """
version: 1
suites:
  docs:
    dataset: eval.jsonl
    retriever: {python: "app:retrieve"}
"""


def prepare(folder: Path, queries: int) -> None:
    """Write the dataset, the retriever, the plain script and the configuration."""
    (folder / "app.py").write_text(RETRIEVER)
    (folder / "plain.py").write_text(PLAIN)
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
    """Run both in turn and print medians and the ratio."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, queries)
        ours = [sys.executable, "-m", "ragguard", "eval", "--quiet"]
        plain = [sys.executable, "plain.py"]
        pairs = [(seconds(ours, folder), seconds(plain, folder)) for _ in range(RUNS)]
    ratio = statistics.median(ours / plain for ours, plain in pairs)
    print(f"ragguard eval  {statistics.median(o for o, _ in pairs):.3f} s")
    print(f"plain script   {statistics.median(p for _, p in pairs):.3f} s")
    print(f"ratio          {ratio:.2f} (limit {LIMIT:g})")
    return ratio > LIMIT


if __name__ == "__main__":
    sys.exit(main())
