"""RG501: queries that repeat the wording of the chunk they are to find."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragguard.config.policy import Policy
from ragguard.lint.result import LintResult
from ragguard.lint.selection import Selection
from ragguard.lint.wording.overlap import Run, joined, repeated
from tests.lint.linting import VERSIONS, lint, suite_of, told, write

TEXT = "Drafts made by a subscription wait sixty minutes before they open by themselves."
LEAK = "do drafts made by a subscription wait sixty minutes before opening?"


def look(
    folder: Path, rows: list[dict[str, Any]], chunks: list[dict[str, Any]], threshold: int = 1
) -> LintResult:
    """What RG501 finds in rows, given the chunks of the corpus."""
    write(folder, {"docs.jsonl": rows, "docs.meta.json": VERSIONS, "manifest.jsonl": chunks})
    suite = suite_of("docs.jsonl", corpus="manifest.jsonl")
    policy = Policy(relevance_threshold=threshold)
    suite = replace(suite, scoring=replace(suite.scoring, policy=policy))
    return lint(folder, suite, Selection.of(["RG501"]))


def row(query: str, **fields: Any) -> dict[str, Any]:
    """A row whose only relevant chunk is c1, unless it says something else."""
    labels = fields or {"relevant_ids": ["c1"]}
    return {"query_id": "q1", "query": query, **labels}


def test_the_longest_run_is_counted_where_it_begins() -> None:
    """Nine words in a row of eleven, from the fourth character on."""
    assert repeated(LEAK, joined(TEXT)) == Run(start=3, words=9, of=11)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("one two three four five six seven eight", 8),
        ("one two three four five six seven", None),  # seven words
        ("one two three four five six seven x eight nine ten", None),  # seven in a row
        ("a b c d e f g h one two three four five six seven eight", 8),  # exactly half
        ("a b c d e f g h i one two three four five six seven eight", None),  # less than half
        ("ONE, two: three; fóur five-six/seven (eight)", 8),
        ("eight seven six five four three two one", None),
        ("one two three four five six seven eighth", None),
    ],
)
def test_eight_words_in_a_row_and_half_of_the_query_are_a_leak(
    query: str, words: int | None
) -> None:
    """Case, accents and punctuation do not count; order and whole words do."""
    run = repeated(query, joined("zero one two three four five six seven eight nine ten"))
    assert (run.words if run else None) == words


@pytest.mark.parametrize(
    "query",
    [
        'why does it say "drafts made by a subscription wait sixty minutes before they open"?',
        "why `drafts made by a subscription wait sixty minutes before they open`?",
        "why 'drafts made by a company's subscription wait sixty minutes before they open'?",
        "was heißt „drafts made by a subscription wait sixty minutes before they open“?",
        "fix OpenError: drafts made by a subscription wait sixty minutes before they open",
    ],
)
def test_what_is_quoted_or_pasted_is_no_wording_of_the_query(query: str) -> None:
    """People do paste messages and ask what a sentence means."""
    text = joined(f"{TEXT} Drafts made by a company's subscription wait sixty minutes before they")
    assert repeated(query, text) is None


@pytest.mark.parametrize("before", range(9))
def test_a_run_is_found_wherever_it_begins(before: int) -> None:
    """After any number of other words, as long as it is half of all."""
    run = [f"w{number}" for number in range(max(8, before))]
    query = [*(f"x{number}" for number in range(before)), *run]
    assert repeated(" ".join(query), joined(" ".join(run))) is not None


def test_words_on_both_sides_of_a_quotation_are_no_run() -> None:
    """Four and four words are not eight in a row."""
    assert repeated("a b c d 'x' e f g h", joined("a b c d e f g h")) is None


def test_an_apostrophe_opens_no_quotation() -> None:
    """`company's … it's` is not quoted."""
    query = "a company's drafts made by a subscription wait sixty minutes before it's open"
    assert repeated(query, joined(TEXT)) is not None


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        (
            "订阅生成的发票草稿会在六十分钟后自动打开吗",
            "订阅生成的发票草稿会在六十分钟后自动打开。",
            10,
        ),
        ("发票草稿会在六十分钟后自动打开吗", "发票草稿会在六十分钟后自动打开。", None),
        (
            "下書きはサブスクリプションによって作成されますか",
            "下書きはサブスクリプションによって作成されます。",
            11,
        ),
        ("Tôi có nên chia sẻ mã kích hoạt thẻ cho ai", "Không chia sẻ mã kích hoạt thẻ cho ai.", 8),
        (
            "متى تفتح مسودة الفاتورة التي أنشأها الاشتراك من تلقاء نفسها",
            "تفتح مسودة الفاتورة التي أنشأها الاشتراك من تلقاء نفسها",
            9,
        ),
    ],
)
def test_every_script_is_measured(query: str, text: str, words: int | None) -> None:
    """Chinese and Japanese letters count for half a word: 20 for ten, 15 for less than eight."""
    run = repeated(query, joined(text))
    assert (run.words if run else None) == words


def test_a_leak_is_reported_at_its_first_word(tmp_path: Path) -> None:
    """With the chunk; escapes before it are counted as they are written."""
    result = look(tmp_path, [row(f'"é" {LEAK}')], [{"id": "c1", "text": TEXT}])
    assert told(result) == [
        "1:39 RG501 9 of the 12 words of the query stand in a row in 'c1', which it is to find"
    ]
    assert result.diagnostics[0].query_id == "q1"
    assert result.diagnostics[0].hint == "ask as someone would who has not read the chunk"


def test_a_query_is_reported_once_with_the_chunk_it_repeats_most_of(tmp_path: Path) -> None:
    """Ten words of c2 are more than nine of c1."""
    chunks = [
        {"id": "c1", "text": TEXT},
        {"id": "c2", "text": f"Do {TEXT}"},
        {"id": "c3", "text": TEXT},
    ]
    (found,) = look(tmp_path, [row(LEAK, relevant_ids=["c1", "c2", "c3"])], chunks).diagnostics
    assert "10 of the 11 words" in found.message
    assert "'c2'" in found.message


@pytest.mark.parametrize(
    ("labels", "threshold", "count"),
    [
        ({"relevant_ids": ["c1"]}, 1, 1),
        ({"evidence": [["c9", "c1"]]}, 1, 1),
        ({"judgments": {"c1": 2}}, 2, 1),
        ({"judgments": {"c1": 1, "c9": 2}}, 2, 0),
        ({"relevant_ids": ["c9"], "forbidden_ids": ["c1"]}, 1, 0),
        ({"answerable": False, "forbidden_ids": ["c1"]}, 1, 0),
    ],
)
def test_only_relevant_chunks_leak(
    labels: dict[str, Any], threshold: int, count: int, tmp_path: Path
) -> None:
    """A distractor that has the words of the query is a good one."""
    chunks = [{"id": "c1", "text": TEXT}, {"id": "c9", "text": "something else"}]
    result = look(tmp_path, [row(LEAK, **labels)], chunks, threshold)
    assert len(result.diagnostics) == count


def test_the_title_of_a_chunk_is_read_too(tmp_path: Path) -> None:
    """A search finds it."""
    chunks = [{"_id": "c1", "title": TEXT, "text": "Nothing more."}]
    assert len(look(tmp_path, [row(LEAK)], chunks).diagnostics) == 1


def test_a_manifest_without_texts_is_a_note(tmp_path: Path) -> None:
    """Nothing was looked at, and that is said."""
    result = look(tmp_path, [row(LEAK)], [{"id": "c1"}])
    assert result.diagnostics == ()
    assert len(result.notes) == 1
    assert result.notes[0].endswith("manifest.jsonl has no texts: RG501 skipped")


def test_a_suite_without_a_corpus_is_a_note(tmp_path: Path) -> None:
    """As for every rule that needs one."""
    write(tmp_path, {"docs.jsonl": [row(LEAK)], "docs.meta.json": VERSIONS})
    result = lint(tmp_path, suite_of("docs.jsonl"), Selection.of(["RG501"]))
    assert result.notes == ("docs has no corpus: RG501 skipped",)


def test_long_texts_take_no_time_to_speak_of() -> None:
    """5,000 words of query in 50,000 words of chunk: no product of the two."""
    query = " ".join(f"w{number % 700}" for number in range(5_000))
    text = joined(" ".join(f"w{number % 701}" for number in range(50_000)))
    begun = time.process_time()
    assert repeated(query, text) is None
    assert time.process_time() - begun < 5
