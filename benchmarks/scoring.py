"""How long ragguard and pytrec_eval take to score the same 10,000 rankings of 100 chunks.

Run it with `python benchmarks/scoring.py`. Both sides get their own form of the same rankings and
judgments, made beforehand; what is timed is from there to a value per query and metric.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Mapping, Sequence

import pytrec_eval

from ragguard.metrics.judged_ranking import see
from ragguard.metrics.name import Metric
from ragguard.metrics.registry import scorer

CUTOFFS = (1, 3, 5, 10, 20)
OURS = [
    *(Metric(measure, k) for measure in ("recall", "precision") for k in CUTOFFS),
    Metric("ndcg_linear", 10),
    Metric("rr"),
    Metric("ap"),
]
THEIRS = {
    *(f"{family}.{','.join(map(str, CUTOFFS))}" for family in ("recall", "P")),
    "ndcg_cut.10",
    "recip_rank",
    "map",
}
TREC_NAMES = {"recall": "recall_", "precision": "P_", "ndcg_linear": "ndcg_cut_"}

Rankings = Mapping[str, Sequence[str]]
Judgments = Mapping[str, Mapping[str, int]]
Values = Mapping[str, Mapping[str, float | None]]


def make(queries: int, depth: int) -> tuple[Rankings, Judgments]:
    """Rankings of distinct chunks, ten judged in each, and ten judged that did not come back."""
    source = random.Random(20)
    rankings, judgments = {}, {}
    for number in range(queries):
        ids = [f"chunk-{id_:06}" for id_ in source.sample(range(100_000), depth + 10)]
        ranking, missed = ids[:depth], ids[depth:]
        judged = [*source.sample(ranking, 10), *missed]
        rankings[f"q{number}"] = ranking
        judgments[f"q{number}"] = {id_: source.randint(0, 3) for id_ in judged} | {judged[0]: 1}
    return rankings, judgments


def score_ours(rankings: Rankings, judgments: Judgments) -> Values:
    """By ragguard."""
    score = scorer(OURS)
    return {
        query_id: score(see(ranking, judgments[query_id])) for query_id, ranking in rankings.items()
    }


def score_theirs(run: Mapping[str, Mapping[str, float]], judgments: Judgments) -> Values:
    """By pytrec_eval."""
    values: Values = pytrec_eval.RelevanceEvaluator(judgments, THEIRS).evaluate(run)
    return values


def trec_name(metric: Metric) -> str:
    """What trec_eval calls the metric."""
    if metric.cutoff is None:
        return {"rr": "recip_rank", "ap": "map"}[metric.measure]
    return f"{TREC_NAMES[metric.measure]}{metric.cutoff}"


def disagreements(ours: Values, theirs: Values) -> int:
    """How many values differ by more than 1e-9."""
    return sum(
        abs((ours[query_id][str(metric)] or 0.0) - (theirs[query_id][trec_name(metric)] or 0.0))
        > 1e-9
        for query_id in ours
        for metric in OURS
    )


def seconds(calls: Sequence[Callable[[], Values]], repeats: int) -> list[float]:
    """Processor seconds of each call, the fewest of several runs taken in turns."""
    best = [float("inf")] * len(calls)
    for _ in range(repeats):
        for index, call in enumerate(calls):
            started = time.process_time()
            call()
            best[index] = min(best[index], time.process_time() - started)
    return best


def main() -> None:
    """Print ours, theirs and the ratio; leave with 1 when values differ or we are slower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    rankings, judgments = make(options.queries, options.depth)
    run = {
        query_id: {id_: float(-rank) for rank, id_ in enumerate(ranking)}
        for query_id, ranking in rankings.items()
    }
    wrong = disagreements(score_ours(rankings, judgments), score_theirs(run, judgments))
    ours, theirs = seconds(
        [lambda: score_ours(rankings, judgments), lambda: score_theirs(run, judgments)],
        options.repeats,
    )
    print(f"{options.queries} rankings of {options.depth}, {len(OURS)} metrics, values compared")
    print(f"ragguard     {ours:.3f} s")
    print(f"pytrec_eval  {theirs:.3f} s")
    print(f"ratio        {ours / theirs:.2f} (target: at most 1)")
    if wrong:
        print(f"{wrong} values differ")
    raise SystemExit(bool(wrong) or ours > theirs)


if __name__ == "__main__":
    main()
