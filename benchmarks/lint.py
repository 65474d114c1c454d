"""How fast `ragguard lint` is, as ratios to the least that could be done and to other tools.

    python benchmarks/lint.py                 # a million rows: some minutes
    python benchmarks/lint.py --rows 100000

Input is made in a temporary folder. Commands are run in turns, and of each the least processor time
counts: other work on a shared machine makes a run wait, and costs it no processor time of its own.
All run from byte code, as they do when installed. Peers that are not installed are left out, aloud:
`pip install orjson check-jsonschema "frictionless[json]"`; check-jsonschema takes minutes. Exits
with 1 when a ratio is above its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
PEER_ROWS = 100_000
SMALL_ROWS = 200
VERSIONS = {"dataset_version": "1", "corpus_version": "1"}
CONFIG = "version: 1\nsuites:\n  docs: {dataset: docs.jsonl}\n"
WITH_CORPUS = "version: 1\nsuites:\n  docs: {dataset: docs.jsonl, corpus: manifest.jsonl}\n"

LINT = (sys.executable, "-m", "ragguard", "lint")
IMPORTS = (sys.executable, "-c", "import click, yaml")
BARE = "import sys\nfrom {0} import loads\nfor line in open(sys.argv[1], 'rb'): loads(line)"


def bare(decoder: str) -> tuple[str, ...]:
    """A loop that decodes every line and does nothing else."""
    return (sys.executable, "-c", BARE.format(decoder), "docs.jsonl")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command takes: processor seconds and MiB of memory at most."""

    seconds: float
    memory: float


def make_dataset(folder: Path, rows: int) -> None:
    """A clean dataset of rows of about 260 bytes, its sidecar, and a manifest of a million chunks.

    Query ids are in no order; one to three labels a row are spread over all of the manifest.
    """
    chance = random.Random(20261201)
    words = [f"word{number}" for number in range(2000)]
    numbers = list(range(rows))
    chance.shuffle(numbers)
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as stream:
        for number in numbers:
            labels = chance.choice((1, 1, 1, 2, 2, 3))
            row = {
                "query_id": f"q{number:06}",
                "query": " ".join(chance.choices(words, k=14)),
                "relevant_ids": [
                    f"chunk-{each:06}" for each in chance.sample(range(10**6), labels)
                ],
                "category": chance.choice(["billing", "security", "reporting"]),
                "critical": chance.random() < 0.1,
                "origin": "human",
            }
            stream.write(json.dumps(row) + "\n")
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(f'{{"id": "chunk-{number:06}"}}\n' for number in range(10**6))
    (folder / "docs.meta.json").write_text(json.dumps(VERSIONS), encoding="utf-8")
    (folder / "ragguard.yml").write_text(CONFIG, encoding="utf-8")
    (folder / "corpus.yml").write_text(WITH_CORPUS, encoding="utf-8")


def cost(command: Sequence[str], folder: Path) -> Cost:
    """What one run of a command takes; it must succeed."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "byte-code")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    running = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    told = running.stderr.read().decode() if running.stderr else ""
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{told}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def least(commands: Sequence[Sequence[str]], repeats: int, folder: Path) -> list[Cost]:
    """The least that each command takes; taken in turns, a first turn does not count."""
    best = [cost(command, folder) for command in commands]
    for _ in range(repeats):
        for index, command in enumerate(commands):
            again = cost(command, folder)
            best[index] = min(best[index], again, key=lambda each: each.seconds)
    return best


def told(name: str, found: Cost, ratio: float, limit: str) -> None:
    """Print one figure."""
    print(f"  {name:<38} {found.seconds:7.2f} s {found.memory:5.0f} MiB {ratio:6.2f} x  {limit}")


def small() -> bool:
    """200 rows against importing click and yaml: what a hook costs."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_dataset(folder, SMALL_ROWS)
        (folder / "manifest.jsonl").write_text('{"id": "c"}\n', encoding="utf-8")
        imports, configured, file = least([IMPORTS, LINT, [*LINT, "docs.jsonl"]], 20, folder)
    print(f"lint of {SMALL_ROWS} rows")
    told("import click, yaml", imports, 1, "")
    told("ragguard lint", configured, configured.seconds / imports.seconds, "limit 3 x")
    told("ragguard lint docs.jsonl", file, file.seconds / imports.seconds, "limit 3 x")
    return max(configured.seconds, file.seconds) <= 3 * imports.seconds


def large(rows: int) -> bool:
    """Many rows against a bare loop of orjson, or of json where orjson is not installed."""
    decoder = "orjson" if find_spec("orjson") else "json"
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_dataset(folder, rows)
        with_corpus = [*LINT, "--config", "corpus.yml"]
        loop, alone, corpus = least([bare(decoder), LINT, with_corpus], 3, folder)
    print(f"lint of {rows:,} rows of 260 bytes, a manifest of 1,000,000 chunks")
    told(f"a bare loop of {decoder}.loads", loop, 1, "")
    told("ragguard lint", alone, alone.seconds / loop.seconds, "")
    limit = "limit 5 x, 250 MiB, manifest 2 s"
    told("ragguard lint, labels looked up", corpus, corpus.seconds / loop.seconds, limit)
    print(f"  the manifest adds {corpus.seconds - alone.seconds:.2f} s")
    return corpus.seconds <= 5 * loop.seconds and corpus.memory <= 250


def peers() -> bool:
    """The same 100,000 rows by tools that check JSON against a schema."""
    schema = json.loads((ROOT / "schemas" / "dataset-row.schema.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_dataset(folder, PEER_ROWS)
        rows = ",".join((folder / "docs.jsonl").read_text("utf-8").splitlines())
        (folder / "docs.json").write_text(f"[{rows}]", encoding="utf-8")
        listed = {"$schema": schema["$schema"], "type": "array", "items": schema}
        (folder / "list.schema.json").write_text(json.dumps(listed), encoding="utf-8")
        named = {name: command for name, command in _peers().items() if _is_there(name)}
        ours, *others = least([LINT, *named.values()], 0, folder)
    print(f"lint of {PEER_ROWS:,} rows beside other tools")
    told("ragguard lint", ours, 1, "")
    is_faster = True
    for name, other in zip(named, others, strict=True):
        wanted = {"check_jsonschema": 10, "frictionless": 3}[name]
        told(name, other, other.seconds / ours.seconds, f"at least {wanted} x")
        is_faster = is_faster and other.seconds >= wanted * ours.seconds
    return is_faster


def _peers() -> dict[str, tuple[str, ...]]:
    check = (sys.executable, "-m", "check_jsonschema", "--schemafile", "list.schema.json")
    return {
        "check_jsonschema": (*check, "docs.json"),
        "frictionless": (sys.executable, "-m", "frictionless", "validate", "docs.jsonl"),
    }


def _is_there(name: str) -> bool:
    if find_spec(name) is None:
        print(f"{name} is not installed: left out")
        return False
    return True


def main() -> int:
    """Measure all; 1 when one is too slow."""
    parser = argparse.ArgumentParser(description="How fast `ragguard lint` is.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="default: %(default)s")
    asked = parser.parse_args()
    within = [small(), large(asked.rows), peers()]
    return 0 if all(within) else 1


if __name__ == "__main__":
    sys.exit(main())
