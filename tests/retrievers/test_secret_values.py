"""Values of variables are found in every form in which a message may hold them."""

from __future__ import annotations

import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.retrievers.secret_values import NO_SECRETS, SHORTEST, Secrets

VALUES = st.text(min_size=SHORTEST, max_size=30).filter(lambda text: len(text.strip()) >= SHORTEST)


@given(VALUES, st.text(max_size=10), st.text(max_size=10))
def test_a_value_is_hidden_in_every_spelling(value: str, before: str, after: str) -> None:
    """As it is, trimmed, in JSON, as Python shows it, in a URL."""
    secrets = Secrets({"KEY": value})
    spellings = [
        value,
        value.strip(),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        repr(value)[1:-1],
        quote(value, safe="", errors="surrogatepass"),
        quote_plus(value, errors="surrogatepass"),
    ]
    for spelling in spellings:
        hidden = secrets.hidden(f"{before}{spelling}{after}")
        assert "${env:KEY}" in hidden
        assert secrets.name_in(f"{before}{spelling}{after}") == "KEY"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("a-long-value", "${env:LONG}"),
        ("A-LONG-VALUE", "${env:LONG}"),
        ("a-long-value-longer", "${env:LONGER}"),
        ("key=a-long-valuea-long-value", "key=${env:LONG}${env:LONG}"),
        ("80 and abc stay", "80 and abc stay"),
        ("a-long-valu", "a-long-valu"),
    ],
)
def test_the_longest_value_is_hidden_and_short_ones_are_not_looked_for(
    text: str, hidden: str
) -> None:
    """A port of two digits would be found in every message."""
    values = {"LONG": "a-long-value", "LONGER": "a-long-value-longer", "PORT": "80", "TAG": "abc"}
    assert Secrets(values).hidden(text) == hidden


def test_every_text_inside_a_value_is_hidden() -> None:
    """Members, their names, and items; numbers stay numbers."""
    secrets = Secrets({"KEY": "a-secret"})
    value = {"x a-secret": ["a-secret", 1.5, None, {"y": "no"}], "z": True}
    assert secrets.hidden_in(value) == {
        "x ${env:KEY}": ["${env:KEY}", 1.5, None, {"y": "no"}],
        "z": True,
    }


def test_secrets_do_not_show_themselves() -> None:
    """Neither in a debugger nor in a message."""
    assert repr(Secrets({"KEY": "a-secret", "OTHER": "b-secret"})) == "Secrets(KEY, OTHER)"
    assert not NO_SECRETS
    assert NO_SECRETS.hidden("a-secret") == "a-secret"
    assert NO_SECRETS.name_in("a-secret") is None
