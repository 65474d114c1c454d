"""The built-in search: what it finds, what it leaves out, and that no query breaks it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.corpus.chunk import Chunk
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.retrievers.answer import Answer, Failure
from ragguard.retrievers.full_text import FullTextRetriever, SearchSettings

CHUNKS = (
    Chunk("refund", text="Refunds are paid back to the card that was charged."),
    Chunk("retry", text="A failed charge is retried after three days."),
    Chunk("secret", text="Charges above the limit are approved by finance.", access=("finance",)),
    Chunk(
        "old",
        text="A failed charge is retried every day.",
        status="superseded",
        effective_from="2024-01-01",
        effective_to="2024-12-31",
    ),
    Chunk("pattern", text="Numbers follow `invoice.number_pattern`."),
)


def search(text: str, query: Query | None = None, depth: int = 10, **settings: object) -> list[str]:
    """Ids found for a text."""
    asked = replace(query, text=text) if query else Query("q", text)
    retriever = FullTextRetriever(CHUNKS, replace(SearchSettings(), **settings))
    (reply,) = retriever.ask([asked], depth)
    assert isinstance(reply.outcome, Answer), reply.outcome
    return [place.chunk_id for place in reply.outcome.ranking]


def test_stemming_finds_other_forms_of_a_word() -> None:
    """`porter` does, `unicode61` does not."""
    assert search("refunding") == ["refund"]
    assert search("refunding", tokenizer="unicode61") == []


def test_any_word_or_all_words() -> None:
    """`any` ranks more matches higher; `all` wants every word."""
    assert search("failed charge")[0] == "retry"
    assert set(search("failed card")) == {"retry", "refund"}
    assert search("failed card", match="all") == []


def test_identifiers_are_phrases() -> None:
    """A dotted name is found as it stands, not by its pieces."""
    assert search("invoice.number_pattern") == ["pattern"]
    assert search("number_pattern.invoice") == []


def test_chunks_closed_to_the_asker_are_left_out_unless_the_filter_is_off() -> None:
    """Roles stand in the row; without any, restricted chunks stay hidden."""
    assert "secret" not in search("approved by finance")
    asker = Query("q", "", row={"context": {"roles": ["finance"]}})
    assert search("approved by finance", asker)[0] == "secret"
    assert search("approved by finance", filter=())[0] == "secret"


def test_chunks_that_do_not_hold_are_left_out_unless_the_query_asks_as_of_their_time() -> None:
    """A superseded chunk answers a question about its own year, and only that."""
    assert search("failed charge") == ["retry", "refund"]
    then = Query("q", "", context={"as_of": "2024-06-01"})
    assert "old" in search("failed charge", then)
    assert "old" in search("failed charge", filter=("access",))


@pytest.mark.parametrize(
    "as_of",
    ["tomorrow", "01/12/2026", "2026-13-01", "2026-W01-1", "2026", 20261201, ["2026-12-01"]],
)
def test_a_day_that_is_none_is_an_error_of_its_query(as_of: object) -> None:
    """Compared as a text it would leave out every dated chunk, and score zero in silence."""
    retriever = FullTextRetriever(CHUNKS, SearchSettings())
    query = Query("q", "failed charge", context={"as_of": as_of})
    (reply,) = retriever.ask([query], 5)
    assert isinstance(reply.outcome, Failure)
    assert reply.outcome.message == f"context.as_of {as_of!r} is no date like 2026-11-30"


@pytest.mark.parametrize("as_of", ["2024-06-01", "2024-06-01T10:00:00Z", "2024-06-01 10:00"])
def test_a_day_may_carry_a_time(as_of: str) -> None:
    """Chunks hold by the day."""
    assert "old" in search("failed charge", Query("q", "", context={"as_of": as_of}))


def test_ties_are_broken_by_id_and_depth_cuts_after_that() -> None:
    """The order of the manifest never shows."""
    chunks = [Chunk(name, text="same words") for name in ("c", "a", "b")]
    for order in (chunks, chunks[::-1]):
        (reply,) = FullTextRetriever(order, SearchSettings()).ask([Query("q", "same")], 2)
        assert isinstance(reply.outcome, Answer)
        assert [place.chunk_id for place in reply.outcome.ranking] == ["a", "b"]


def test_scores_fall_with_the_rank() -> None:
    """They are BM25 with its sign turned, so that more is better."""
    (reply,) = FullTextRetriever(CHUNKS, SearchSettings()).ask([Query("q", "failed charge")], 5)
    assert isinstance(reply.outcome, Answer)
    scores = [place.score or 0.0 for place in reply.outcome.ranking]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


@given(st.text(max_size=40))
def test_no_text_is_an_operator(text: str) -> None:
    """Quotes, brackets, NUL, operators of FTS5: every text gives a ranking."""
    retriever = FullTextRetriever(CHUNKS, SearchSettings())
    (reply,) = retriever.ask([Query("q", text)], 5)
    assert isinstance(reply.outcome, Answer)


def test_a_manifest_without_texts_says_what_is_missing() -> None:
    """An index over nothing would be a recall of zero."""
    with pytest.raises(RetrieverError, match="no chunk with a text"):
        FullTextRetriever([Chunk("a")], SearchSettings())


def test_chunks_without_a_text_are_counted() -> None:
    """They cannot be found, and that is said."""
    retriever = FullTextRetriever([*CHUNKS, Chunk("mute")], SearchSettings())
    assert retriever.warnings == ["1 chunks of the manifest have no text and cannot be found"]
