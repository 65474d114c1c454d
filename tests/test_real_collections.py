"""The whole chain on real collections, every number checked against two independent oracles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ir_measures
import pytest
import pytrec_eval

from tests import classic
from tests.shared_data import shared

pytestmark = pytest.mark.slow

CONFIG = """
version: 1
suites:
  {name}:
    dataset: eval.jsonl
    corpus: manifest.jsonl
    retriever: {{search: {{tokenizer: {tokenizer}}}}}
    depth: 100
    cutoffs: [1, 3, 5, 10, 20]
    primary: recall@10
    slices: []
    gates: {{recall@10: {{max_drop: 0.02}}}}
"""
PAIRS = {
    "recall@{k}": ("recall_{k}", "R@{k}"),
    "precision@{k}": ("P_{k}", "P@{k}"),
    "hit@{k}": ("success_{k}", "Success@{k}"),
    "ap@{k}": ("map_cut_{k}", "AP@{k}"),
    "ndcg_linear@{k}": ("ndcg_cut_{k}", "nDCG@{k}"),
    "rr": ("recip_rank", "RR"),
    "ap": ("map", "AP"),
    "ndcg_linear": ("ndcg", "nDCG"),
    "rprec": ("Rprec", "Rprec"),
}
"""pytrec_eval's and ir_measures' name of each of our metrics."""
CUTOFFS = (1, 3, 5, 10, 20)
SIZES = {"MED": (1033, 30, 30), "ADI": (82, 35, 35), "CISI": (1460, 112, 76)}
"""Documents, queries and judged queries of each collection."""


def ragguard(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run a command in the folder, expecting an exit code; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "ragguard", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == code, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", params=sorted(SIZES))
def chain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A collection converted, imported, linted, and evaluated with a good and a worse search."""
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    collection = classic.read(shared(f"{classic.FOLDER}/{name.lower()}"), name)
    classic.write(collection, folder)
    (folder / "manifest.meta.json").write_text('{"corpus_version": "1"}')
    versions = ("--dataset-version", "1", "--corpus-version", "1")
    arguments = ("qrels.trec", "--queries", "queries.jsonl", "--output", "eval.jsonl")
    ragguard(folder, "import", "qrels", *arguments, *versions)
    config = folder / "ragguard.yml"
    for report, tokenizer in (("base.jsonl", "porter"), ("head.jsonl", "trigram")):
        config.write_text(CONFIG.format(name=name.lower(), tokenizer=tokenizer))
        ragguard(folder, "lint")
        ragguard(folder, "eval", "--quiet", "--no-timings", "--output", report)
    return name, folder, collection


def records(path: Path) -> list[dict[str, Any]]:
    """The query records of a report."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [record for record in lines if record["record"] == "query"]


def test_nothing_is_lost_on_the_way(chain: Any) -> None:
    """Every judged query of the collection is evaluated, with all its labels."""
    name, folder, collection = chain
    assert (len(collection.documents), len(collection.queries)) == SIZES[name][:2]
    found = {record["query_id"]: record["judgments"] for record in records(folder / "base.jsonl")}
    assert len(found) == SIZES[name][2]
    assert found == {
        query_id: dict.fromkeys(relevant, 1) for query_id, relevant in collection.qrels.items()
    }


@pytest.mark.parametrize("report", ["base.jsonl", "head.jsonl"])
def test_every_metric_equals_both_oracles(chain: Any, report: str) -> None:
    """On the same run, every value of every query is trec_eval's and ir_measures'."""
    _, folder, _ = chain
    found = records(folder / report)
    qrels = {record["query_id"]: record["judgments"] for record in found}
    # The oracles sort by score; places give the order that ragguard was given, ties included.
    run = {
        record["query_id"]: {
            id_: 1.0 / place for place, (id_, _) in enumerate(record["ranking"], 1)
        }
        for record in found
    }
    ours = {record["query_id"]: record["metrics"] for record in found}
    names = {
        our.format(k=k): (theirs.format(k=k), measure.format(k=k))
        for our, (theirs, measure) in PAIRS.items()
        for k in CUTOFFS
    }
    cut = ("recall", "P", "success", "map_cut", "ndcg_cut")
    measures = {f"{name}.{','.join(map(str, CUTOFFS))}" for name in cut}
    measures |= {"recip_rank", "map", "ndcg", "Rprec"}
    trec = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    compared = 0
    for our, (theirs, _) in names.items():
        for query_id, values in ours.items():
            assert values[our] == pytest.approx(trec[query_id][theirs], abs=1e-6), (our, query_id)
            compared += 1
    by_name = {ir_measures.parse_measure(measure): our for our, (_, measure) in names.items()}
    for value in ir_measures.iter_calc(list(by_name), qrels, run):
        our = by_name[value.measure]
        assert ours[value.query_id][our] == pytest.approx(value.value, abs=1e-6), our
        compared += 1
    assert compared >= 2 * len(names) * len(ours)


def test_the_comment_on_the_worse_search_is_right(chain: Any) -> None:
    """Means, counts and named queries of the comment are those of the two runs."""
    name, folder, _ = chain
    base, head = (
        {record["query_id"]: record["metrics"]["recall@10"] for record in records(folder / report)}
        for report in ("base.jsonl", "head.jsonl")
    )
    fallen = {query_id for query_id, value in base.items() if head[query_id] < value - 1e-9}
    means = [sum(values.values()) / len(values) for values in (base, head)]
    drop = means[0] - means[1]
    code = 1 if drop > 0.02 else 0
    told = json.loads(
        ragguard(folder, "diff", "base.jsonl", "head.jsonl", "--format", "json", code=code)
    )
    suite = told["suites"][name.lower()]
    assert suite["paired"] == len(base)
    assert suite["headline"]["recall@10"]["base"] == pytest.approx(means[0])
    assert suite["headline"]["recall@10"]["head"] == pytest.approx(means[1])
    regressed = {each["query_id"] for each in suite["regressions"] if each["metric"] == "recall@10"}
    assert regressed == fallen
    comment = ragguard(
        folder, "diff", "base.jsonl", "head.jsonl", "--format", "markdown", code=code
    )
    assert f"{means[0]:.3f} → {means[1]:.3f}" in comment
    assert f"{len(base)} paired" in comment
    assert len(comment) <= 65_536
