"""How fast `ragguard lint` is, as ratios to the least that could be done, in one run.

    python benchmarks/lint.py

Input is made in a temporary folder. Exits with 1 when a ratio is above its limit. All commands run
from byte code, as they do when installed, also where PYTHONDONTWRITEBYTECODE keeps a checkout from
having any.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

SMALL_ROWS, SMALL_LIMIT = 4, 3.0
LARGE_ROWS, LARGE_LIMIT = 100_000, 6.0
SMALL_REPEATS, LARGE_REPEATS = 25, 7

IMPORTS = [sys.executable, "-c", "import click, yaml"]
BARE = "import json, sys\nfor line in open(sys.argv[1], encoding='utf-8'): json.loads(line)"
CONFIG = "version: 1\nsuites:\n  docs: {dataset: docs.jsonl}\n"
VERSIONS = {"dataset_version": "1", "corpus_version": "1"}


def make_dataset(folder: Path, rows: int) -> Path:
    """A clean dataset of rows of about 260 bytes, with its sidecar and a configuration."""
    chance = random.Random(20261201)
    words = [f"word{number}" for number in range(2000)]
    path = folder / "docs.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for number in range(rows):
            row = {
                "query_id": f"q{number:06}",
                "query": " ".join(chance.choices(words, k=12)),
                "relevant_ids": [f"chunk-{each:06}" for each in chance.sample(range(10**6), 3)],
                "category": chance.choice(["billing", "security", "reporting"]),
                "critical": chance.random() < 0.1,
                "origin": "human",
            }
            stream.write(json.dumps(row) + "\n")
    (folder / "docs.meta.json").write_text(json.dumps(VERSIONS), encoding="utf-8")
    (folder / "ragguard.yml").write_text(CONFIG, encoding="utf-8")
    return path


def fastest(commands: Sequence[Sequence[str]], repeats: int, cwd: Path) -> list[float]:
    """Seconds of the fastest run of each command; taken in turns, the first does not count."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(cwd / "byte-code")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    best = [float("inf")] * len(commands)
    for turn in range(repeats + 1):
        for index, command in enumerate(commands):
            started = time.perf_counter()
            subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)
            if turn:
                best[index] = min(best[index], time.perf_counter() - started)
    return best


def measure(rows: int, yardstick: list[str], repeats: int, limit: float, name: str) -> bool:
    """Print the ratio of linting to a yardstick; whether it is within its limit."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_dataset(folder, rows)
        lint = [sys.executable, "-m", "ragguard", "lint"]
        commands = [yardstick, lint, [*lint, "docs.jsonl"]]
        least, configured, file = fastest(commands, repeats, folder)
    print(f"lint of {rows:,} rows against {name} ({least * 1000:.0f} ms), limit {limit:g} x")
    print(f"  by configuration {configured * 1000:7.0f} ms  {configured / least:.2f} x")
    print(f"  file by its name {file * 1000:7.0f} ms  {file / least:.2f} x")
    return configured <= limit * least and file <= limit * least


def main() -> int:
    """Measure both; 1 when one is too slow."""
    start = measure(SMALL_ROWS, IMPORTS, SMALL_REPEATS, SMALL_LIMIT, "importing click and yaml")
    bare = [sys.executable, "-c", BARE, "docs.jsonl"]
    rows = measure(LARGE_ROWS, bare, LARGE_REPEATS, LARGE_LIMIT, "a bare loop of json.loads")
    return 0 if start and rows else 1


if __name__ == "__main__":
    sys.exit(main())
