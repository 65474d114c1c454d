"""What a query's words become: as they stand, quoted, each once, and never a silent nothing."""

# ruff: noqa: RUF001 - letters that look like others are the point

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ragguard.corpus.chunk import Chunk
from ragguard.dataset.query import Query
from ragguard.retrievers.answer import Answer
from ragguard.retrievers.full_text import FullTextRetriever, SearchSettings
from ragguard.retrievers.query_words import QueryWords, indexable

Tokenizer = Literal["porter", "unicode61", "trigram"]
Match = Literal["any", "all"]

TOKENIZERS = st.sampled_from(["porter", "unicode61", "trigram"])
MATCHES = st.sampled_from(["any", "all"])
TEXTS = st.text(st.characters(), max_size=60)
"""Any text, lone surrogates and NUL included."""

WORDS = (
    *("Straße", "STRASSE", "ẞ", "İstanbul", "ısı", "ﬁre", "ŉa", "ΟΔΟΣ", "οδος", "ſo", "Ǆ"),
    *("e\u0301t", "ết", "\u0301x", "x\u0301", "١٢", "½", "Ⅷ", "x²", "\ue000", "Ꭰ", "ꭰ", "Ა", "𞤀"),
    *("日本語の文章です。", "ภาษาไทย", "हिन्दी", "한국어", "\u1112\u1161\u11ab", "😀x", "😀"),
    *("l'été", "l’été", "e-mail", "a\u00adb", "a\u200bb", 'a"b', "a\0b", "\0", "C++", "\ud83d"),
    *("AND", "NEAR(a", "text:a", "^a", "a*", "-a", "{a}", "a\u0085b", "a\u001cb", "a\u2028b"),
)


def all_found(
    text: str, queries: Sequence[str], tokenizer: Tokenizer, match: Match
) -> list[Answer]:
    """The answers of a search in which one chunk holds `text`, and another something else."""
    chunks = (Chunk("other", text="qqqq"), Chunk("it", text=text))
    retriever = FullTextRetriever(chunks, SearchSettings(tokenizer, match))
    outcomes = [reply.outcome for reply in retriever.ask([Query("q", q) for q in queries], 5)]
    answers = [outcome for outcome in outcomes if isinstance(outcome, Answer)]
    assert len(answers) == len(queries), outcomes
    return answers


def found(text: str, query: str, tokenizer: Tokenizer, match: Match) -> Answer:
    """The answer to one query."""
    return all_found(text, [query], tokenizer, match)[0]


def ids(answer: Answer) -> list[str]:
    """The ids of a ranking."""
    return [place.chunk_id for place in answer.ranking]


@pytest.mark.parametrize("word", ["Straße", "GROẞ", "İstanbul", "ﬁre", "ŉa", "ΟΔΟΣ", "ſo", "ǰx"])
@pytest.mark.parametrize("tokenizer", ["porter", "unicode61"])
def test_a_letter_that_case_folding_spells_otherwise_is_found(
    word: str, tokenizer: Tokenizer
) -> None:
    """FTS5 keeps `ß` where Unicode's case folding has `ss`: the index decides, not Python."""
    assert ids(found(f"Die {word} ist lang.", word, tokenizer, "all")) == ["it"]


@settings(deadline=None)
@given(TEXTS | st.lists(st.sampled_from(WORDS)).map(" ".join), TOKENIZERS, MATCHES)
@example(" ".join(WORDS), "porter", "all")
@example(" ".join(WORDS), "unicode61", "all")
@example(" ".join(WORDS), "trigram", "all")
@example("1 a", "trigram", "all")
@example("abc ab", "trigram", "all")
@example("ab\0cdef", "trigram", "all")
def test_a_text_is_found_by_itself_and_by_each_of_its_tokens(
    text: str, tokenizer: Tokenizer, match: Match
) -> None:
    """Whatever stands in a chunk finds it; nothing between text and query changes a letter."""
    (tokens,) = QueryWords(tokenizer).tokens([text])
    assume(tokens)
    queries = [text, *dict.fromkeys(tokens)]
    for query, answer in zip(queries, all_found(text, queries, tokenizer, match), strict=True):
        assert "it" in ids(answer), query


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("tokenizer", ["porter", "unicode61"])
def test_a_word_finds_its_chunk_or_says_that_it_is_none(word: str, tokenizer: Tokenizer) -> None:
    """There is no third way: an empty ranking without a word about it."""
    answer = found(f"before {word} after", word, tokenizer, "all")
    assert ids(answer) == ["it"] or "no word of the query" in answer.warnings[0]


def test_an_expression_quotes_every_word_once_and_as_it_stands() -> None:
    """The same word is the one with the same tokens; what has no token is left out."""
    words = QueryWords("porter")
    assert words.expression('NEAR(a b) "B" ? A.', "any") == '"NEAR(a" OR "b)" OR "A."'
    assert words.expression("Straße STRASSE strasse", "all") == '"Straße" AND "STRASSE"'
    assert words.expression("charge charged", "any") == '"charge" OR "charged"'
    assert words.expression("?!", "any") == ""


def test_a_word_too_short_for_trigrams_does_not_lose_the_others() -> None:
    """FTS5 finds nothing by a phrase without a token, and with AND nothing at all."""
    assert ids(found("to be retried", "to be retried", "trigram", "all")) == ["it"]
    assert ids(found("to be", "to be", "trigram", "all")) == ["it"]


def test_a_query_without_a_searchable_word_says_so() -> None:
    """Its empty ranking is no verdict on the corpus."""
    answer = found("x", "?!", "porter", "any")
    assert answer.ranking == ()
    assert answer.warnings == (
        "no word of the query can be searched for by porter; nothing was found",
    )


def test_queries_without_a_searchable_word_are_told_of_the_run() -> None:
    """A warning of one query is easily overlooked; that of the run stands at the terminal."""
    retriever = FullTextRetriever([Chunk("a", text="text")], SearchSettings("trigram"))
    list(retriever.ask([Query("q1", "ab"), Query("q2", "text")], 5))
    assert retriever.warnings == [
        "1 queries hold no word that trigram can search for, and found nothing: 'q1'"
    ]


def test_queries_do_not_leak_into_each_other() -> None:
    """The index of a query's words is empty again before the next."""
    words = QueryWords("unicode61")
    assert words.tokens(["a b", "c"]) == [("a", "b"), ("c",)]
    assert words.tokens(["d"]) == [("d",)]


def test_what_sqlite_cannot_take_in_parts_words() -> None:
    """NUL and half of a surrogate pair, in texts and in queries alike."""
    assert indexable("a\0b\ud83dc😀") == "a b?c😀"
