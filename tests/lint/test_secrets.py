"""Keys and tokens in queries: drawn anew here, so that none stands in the repository."""

from __future__ import annotations

import string
from pathlib import Path
from random import Random

import pytest

from ragguard.lint.excerpts import excerpts
from ragguard.lint.selection import Selection
from ragguard.lint.wording.secrets import entropy, secrets_in
from tests.lint.linting import lint, suite_of, write

_LETTERS = string.ascii_letters + string.digits
_HEXADECIMAL = "0123456789abcdef"


def drawn(length: int, alphabet: str = _LETTERS, seed: int = 1) -> str:
    """Letters and digits drawn at random."""
    random = Random(seed)
    return "".join(random.choice(alphabet) for _ in range(length))


KEYS = [
    ("AKIA", 16, string.ascii_uppercase + string.digits, "an AWS access key"),
    ("ghp_", 36, _LETTERS, "a GitHub token"),
    ("github_pat_", 40, _LETTERS, "a GitHub token"),
    ("glpat-", 20, _LETTERS, "a GitLab token"),
    ("xoxb-", 24, _LETTERS, "a Slack token"),
    ("sk_live_", 24, _LETTERS, "a Stripe key"),
    ("sk-ant-api03-", 40, _LETTERS, "an Anthropic key"),
    ("sk-proj-", 40, _LETTERS, "an OpenAI key"),
    ("AIza", 35, _LETTERS, "a Google key"),
    ("hf_", 34, _LETTERS, "a Hugging Face token"),
    ("npm_", 36, _LETTERS, "an npm token"),
    ("pypi-", 60, _LETTERS, "a PyPI token"),
    ("SG." + drawn(22) + ".", 43, _LETTERS, "a SendGrid key"),
    ("eyJ" + drawn(20) + ".eyJ" + drawn(30) + ".", 43, _LETTERS, "a JSON web token"),
]


@pytest.mark.parametrize(("prefix", "length", "alphabet", "kind"), KEYS, ids=lambda value: value)
def test_a_key_is_told_by_its_form_and_never_repeated(
    prefix: str, length: int, alphabet: str, kind: str
) -> None:
    """Its kind and four characters are shown, and it is found where it begins."""
    key = prefix + drawn(length, alphabet)
    (found,) = secrets_in(f"why is {key} refused?")
    assert found.start == len("why is ")
    assert found.shown == f"{kind} ({key[:4]!r}…)"


@pytest.mark.parametrize(
    ("prefix", "length", "alphabet"), [key[:3] for key in KEYS[:12]], ids=lambda value: value
)
def test_what_is_too_short_for_its_kind_is_no_key(prefix: str, length: int, alphabet: str) -> None:
    """A prefix alone is what a documentation speaks of."""
    del length
    assert list(secrets_in(f"what does {prefix}{drawn(6, alphabet)} mean?")) == []


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("Authorization: Bearer ", drawn(24, _HEXADECIMAL)),
        ("my token is ", drawn(24)),
        ("client_secret: '", drawn(24)),
        ("API key = ", drawn(32, _HEXADECIMAL)),
        ("", drawn(40)),
    ],
)
def test_a_value_drawn_at_random_is_a_secret(before: str, value: str) -> None:
    """After a word that says so a short one, or a hexadecimal one; else a long one."""
    (found,) = secrets_in(f"{before}{value}' fails")
    assert found.start == len(before)
    assert found.shown.endswith(f"({value[:4]!r}…)")


def test_most_runs_drawn_at_random_are_recognised() -> None:
    """Of 32 letters and digits at least nine in ten; of 40 nearly all."""
    for length, share in ((32, 0.9), (40, 0.98)):
        runs = [drawn(length, seed=seed) for seed in range(300)]
        assert sum(bool(list(secrets_in(run))) for run in runs) >= 300 * share


def test_entropy_is_that_of_the_characters() -> None:
    """Four that are all different have two bits each, two of each one bit."""
    assert entropy("abcd") == pytest.approx(2.0)
    assert entropy("aabb") == pytest.approx(1.0)
    assert entropy("aaaa") == pytest.approx(0.0)


def test_neither_message_nor_hint_repeats_a_secret(tmp_path: Path) -> None:
    """Through the whole linter; the rest of the key stays where it is."""
    key = "ghp_" + drawn(36)
    write(tmp_path, {"docs.jsonl": [{"query_id": "q1", "query": f"why is {key} refused?"}]})
    (found,) = lint(tmp_path, suite_of("docs.jsonl"), Selection.of(["RG507"])).diagnostics
    assert key[:5] not in found.message + (found.hint or "")
    assert (found.location.line, found.location.column) == (1, 37)


def test_no_finding_shows_a_line_that_holds_a_secret(tmp_path: Path) -> None:
    """Whatever rule it is of; the lines around it are shown."""
    rows = [
        {"query_id": "q1", "query": f"why is ghp_{drawn(36)} refused?", "relevant_ids": []},
        {"query_id": "q2", "query": "why?", "relevant_ids": []},
    ]
    write(tmp_path, {"docs.jsonl": rows})
    result = lint(tmp_path, suite_of("docs.jsonl"), Selection.of(["RG104", "RG507"]))
    shown = {
        (found.location.line, found.code): excerpt is not None
        for found, excerpt in zip(result.diagnostics, excerpts(result), strict=True)
    }
    assert shown == {(1, "RG104"): False, (1, "RG507"): False, (2, "RG104"): True}
