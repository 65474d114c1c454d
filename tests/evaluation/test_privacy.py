"""What a retriever says went wrong, without the texts of private queries."""

from __future__ import annotations

import json

import pytest

from ragguard.dataset.query import Query
from ragguard.evaluation.privacy import WITHHELD, PrivateTexts

PRIVATE = Query("p", 'Was "Müller" refunded?', private=True)
OPEN = Query("q", "refund")


def hidden(message: str, query: Query, *others: Query) -> str:
    """The message as the report has it."""
    return PrivateTexts([PRIVATE, OPEN, *others]).hidden_in(message, query)


@pytest.mark.parametrize(
    "message",
    [
        PRIVATE.text,
        f"ValueError: nothing for {PRIVATE.text!r}",
        f"KeyError: {json.dumps(PRIVATE.text)}",
        "no document for customer MÜLLER",
        "tokens: ['was', 'refunded']",
    ],
)
def test_a_message_that_quotes_its_private_query_is_withheld(message: str) -> None:
    """Whole, cut, folded or in pieces."""
    assert hidden(message, PRIVATE) == WITHHELD


def test_a_message_that_quotes_nothing_stays() -> None:
    """It says what to mend."""
    assert hidden("no answer within 10 s", PRIVATE) == "no answer within 10 s"
    assert hidden("run.json has no query 'p'", PRIVATE) == "run.json has no query 'p'"


@pytest.mark.parametrize(
    "quoted",
    [PRIVATE.text, PRIVATE.text.upper(), repr(PRIVATE.text)[1:-1], json.dumps(PRIVATE.text)[1:-1]],
)
def test_a_log_that_tells_of_a_private_query_is_cleaned_for_another(quoted: str) -> None:
    """The end of a log holds what was asked before."""
    told = hidden(f"it was lost; its log ends: asked {quoted}; asked refund", OPEN)
    assert told == "it was lost; its log ends: asked (private query); asked refund"


def test_a_private_text_of_short_words_is_known_as_a_whole() -> None:
    """It has no word that would tell it."""
    short = Query("s", "a b c", private=True)
    assert hidden("nothing for A B C", short, short) == WITHHELD
    assert hidden("nothing at all", short, short) == "nothing at all"


def test_without_private_queries_messages_stay_as_they_are() -> None:
    """A blank private text hides nothing either."""
    assert PrivateTexts([OPEN, Query("b", " ", private=True)]).hidden_in("x", OPEN) == "x"
