"""How fast a manifest is looked up and unknown labels are explained, in one run.

    python benchmarks/corpus.py [CHUNKS]

The look-up is compared with a bare loop that decodes the same lines, and explaining 20 unknown
labels with the look-up: it reads the manifest once more and compares each label with each id.
Seconds are those of the processor, the fastest of three runs, so that other programs disturb less.
Exits with 1 when a limit is passed.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ragguard.corpus.manifest import open_manifest

CHUNKS, RUNS, UNKNOWN = 1_000_000, 3, 20
LOOK_UP_LIMIT, EXPLAINING_LIMIT = 4.0, 5.0
"""How many times the bare loop, and how many times the look-up it may take."""

Row = dict[str, Any]
chance = random.Random(20261201)


def counted(count: int) -> Iterator[Row]:
    """Ids that count on, all alike."""
    for number in range(count):
        digest = hashlib.sha256(b"%d" % number).hexdigest()
        yield {"id": f"chunk-{number:07}", "parent_id": f"doc-{number // 10:06}", "sha256": digest}


def by_chance(count: int) -> Iterator[Row]:
    """Ids of 36 characters that have nothing in common, of texts of 250."""
    for _ in range(count):
        chunk_id = str(uuid.UUID(int=chance.getrandbits(128)))
        yield {"id": chunk_id, "text": 'say "it": lorem ipsum ' * 11}


def by_path(count: int) -> Iterator[Row]:
    """Long ids of many lengths with much in common, and objects inside the rows."""
    topics = ["policy", "invoice", "audit", "retention", "export"]
    for number in range(count):
        path = f"handbook/{chance.choice(topics)}/{chance.choice(topics)}-{number % 1000}.md"
        yield {"id": f"{path}#chunk-{number}", "metadata": {"page": number % 50, "lang": "de"}}


MAKES: Mapping[str, tuple[Callable[[int], Iterator[Row]], Callable[[str], str]]] = {
    "ids that count": (counted, lambda chunk_id: chunk_id[:-2] + "x" + chunk_id[-1:]),
    "ids by chance": (by_chance, lambda chunk_id: chunk_id[::-1]),
    "ids that are paths": (by_path, lambda chunk_id: chunk_id.replace("chunk", "chnk") + "1"),
}
"""How the ids of a manifest are made, and how unknown ones are made of them."""


def fastest(action: Callable[[], object]) -> float:
    """Seconds of processor time of the fastest of some runs."""
    best = float("inf")
    for _ in range(RUNS):
        started = time.process_time()
        action()
        best = min(best, time.process_time() - started)
    return best


def measure(name: str, count: int, folder: Path) -> bool:
    """Print seconds and ratios for one kind of manifest; whether they are within the limits."""
    make, spoil = MAKES[name]
    path = folder / "corpus.jsonl"
    some = []
    with path.open("w", encoding="utf-8") as stream:
        for number, row in enumerate(make(count)):
            stream.write(json.dumps(row) + "\n")
            if number % (count // 20_000 or 1) == 0:
                some.append(row["id"])
    labels = frozenset(some)
    unknown = [spoil(chunk_id) for chunk_id in chance.sample(some, UNKNOWN)]
    manifest = open_manifest(path)

    def bare() -> None:
        decode = msgspec.json.Decoder().decode
        with path.open("rb") as stream:
            for line in stream:
                decode(line)

    loop, look_up, explaining = (
        fastest(bare),
        fastest(lambda: manifest.view(labels)),
        fastest(lambda: manifest.nearest(unknown)),
    )
    print(f"{count:,} chunks, {name} ({path.stat().st_size / 1e6:.0f} MB)")
    print(f"  bare loop of msgspec            {loop:6.2f} s")
    print(f"  look-up of {len(labels):,} labels       {look_up:6.2f} s  {look_up / loop:.2f} x")
    print(
        f"  nearest ids to {UNKNOWN} unknown ones {explaining:6.2f} s  {explaining / look_up:.2f} x"
    )
    return look_up <= LOOK_UP_LIMIT * loop and explaining <= EXPLAINING_LIMIT * look_up


def main() -> int:
    """Measure all kinds; 1 when one is too slow."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CHUNKS
    with tempfile.TemporaryDirectory() as folder:
        results = [measure(name, count, Path(folder)) for name in MAKES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
