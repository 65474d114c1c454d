"""The page on metrics knows every measure."""

from __future__ import annotations

import re
from pathlib import Path

from ragguard.metrics.name import MAY_OMIT_CUTOFF, NEED_CUTOFF, NO_CUTOFF, Metric
from ragguard.metrics.registry import REGISTRY

PAGE = (Path(__file__).resolve().parents[2] / "docs/metrics.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`[^|]+) \|([^|]*)\| (required|optional|none) \|", PAGE, re.MULTILINE)
CUTOFFS = {"required": NEED_CUTOFF, "optional": MAY_OMIT_CUTOFF, "none": NO_CUTOFF}


def names_in(cell: str) -> list[str]:
    """The metrics that a cell names, with a number for k."""
    return [name.replace("@k", "@5") for name in re.findall(r"`([^`]+)`", cell)]


def test_the_table_of_names_is_that_of_the_code() -> None:
    """Each canonical name, each other spelling, and whether it takes a cutoff."""
    assert len(ROWS) == len(REGISTRY)
    for canonical, others, cutoff in ROWS:
        measures = {Metric.parse(name).measure for name in names_in(canonical + others)}
        (measure,) = measures
        assert measure in CUTOFFS[cutoff]
        assert all(str(Metric.parse(name)) == name for name in names_in(canonical))


def test_every_measure_is_explained() -> None:
    """By a paragraph that begins with its name."""
    explained = {
        Metric.parse(name.replace("@k", "@5")).measure
        for line in PAGE.split("\n")
        if line.startswith("**`")
        for name in re.findall(r"\*\*`([^`]+)`\*\*", line)
    }
    assert explained == set(REGISTRY)
