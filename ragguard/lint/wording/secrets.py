"""E-mail addresses, keys and tokens in a text, told from what only looks like them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

_LONGEST_SHOWN = 4
_ADDRESS = "an e-mail address"

_KEYS = {
    "an AWS access key": r"(?:AKIA|ASIA)[0-9A-Z]{16}",
    "a GitHub token": r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}",
    "a GitLab token": r"glpat-[A-Za-z0-9_-]{20,}",
    "a Slack token": r"xox[abeprs]-[A-Za-z0-9-]{10,}",
    "a Stripe key": r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "an Anthropic key": r"sk-ant-[A-Za-z0-9_-]{20,}",
    "an OpenAI key": r"sk-(?:proj-|svcacct-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}",
    "a Google key": r"AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}",
    "a Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "an npm token": r"npm_[A-Za-z0-9]{36}",
    "a PyPI token": r"pypi-[A-Za-z0-9_-]{50,}",
    "a SendGrid key": r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "a JSON web token": r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    "a bearer token": r"(?i:bearer)\s+(?P<bearer>(?=[^\s]*\d)[A-Za-z0-9._~+/-]{20,}=*)",
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "a password in an address": r"[a-z][a-z0-9+.-]*://[^\s/:@]+:(?!\d{1,5}@)(?P<password>[^\s/:@]{3,})(?=@)",
    "a secret": r"(?i:\b(?:\w*[_-])?(?:api[ _-]?key|access[ _-]?key|token|secret|passw(?:or)?d))"
    r"\W{0,3}(?:(?i:is)\W|[=:])\s*['\"`]?(?P<secret>[A-Za-z0-9+/_=-]{16,})",
    "what reads as a key": r"(?P<random>[A-Za-z0-9+_=-]{32,})",
    _ADDRESS: r"(?P<local>[A-Za-z0-9][\w.+%-]*)@(?P<domain>(?:[\w-]+\.)+[^\W\d_]{2,})",
}
_KINDS = tuple(_KEYS)
_WHOLE = "|".join(
    rf"(?P<k{index}>(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9]))"
    for index, pattern in enumerate(_KEYS.values())
)
_URL = r"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/@]+/\S*"

_RESERVED_DOMAIN = (
    r"(?:.*\.)?(?:example\.(?:com|org|net|edu)|(?:.*\.)?(?:example|test|invalid|localhost|local))"
)
_MADE_UP_DOMAIN = r"(?:(?:x+|domain|company|mycompany|yourdomain|yourcompany|email|mail)\.)+\w+"
_ROLES = (
    r"abuse|admin|billing|careers|contact|feedback|ftp|git|hello|help|hostmaster|info|jobs|legal|"
    r"marketing|news|no-?reply|noc|office|postmaster|press|privacy|root|sales|security|services?|"
    r"support|team|usenet|user|username|uucp|webmaster|www|you|your[._-]e?mail"
)
"""Mailboxes of RFC 2142 and their like, and names that stand for anybody's."""
_MADE_UP_KEY = r"(?i)example|your|placeholder|changeme|dummy|x{4}|\.{3}|1234567890abcdef|abcdefgh"

_FEWEST_DISTINCT = 6
_HEXADECIMAL_ENTROPY, _ENTROPY, _SLACK = 3.0, 4.2, 0.6


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that does not belong into a dataset.

    Attributes:
        start: index of its first character in the text.
        shown: what it is, with as much of it as may be shown.
    """

    start: int
    shown: str
    is_address: bool


def secrets_in(text: str) -> Iterator[Secret]:
    """The secrets of a text in their order."""
    if not _may_hold_one(text):
        return
    urls = [found.span() for found in re.finditer(_URL, text)]
    for found in re.finditer(_WHOLE, text):
        kind = _KINDS[int(str(found.lastgroup)[1:])]
        inner = next((name for name in _INNER if found[name]), None)
        start = found.start(inner) if inner else found.start()
        value = found[inner] if inner else found.group()
        if kind == _ADDRESS:
            if not _is_made_up_address(found["local"], found["domain"]):
                yield Secret(found.start(), _ADDRESS, is_address=True)
        elif _is_secret(value, inner) and not (
            inner == "random" and any(begin <= start < end for begin, end in urls)
        ):
            yield Secret(start, _shown(kind, value), is_address=False)


def _may_hold_one(text: str) -> bool:
    """A quick look: most queries have nothing of what every secret has."""
    if "@" in text or "-----BEGIN" in text:
        return True
    runs = re.findall(r"[A-Za-z0-9+/_.=~-]{15,}", text)
    return any(re.search(r"\d", run) for run in runs)


_INNER = ("bearer", "password", "secret", "random")


def _is_secret(value: str, inner: str | None) -> bool:
    if re.search(_MADE_UP_KEY, value):
        return False
    if inner == "random":
        return _is_random(value, fewest=2)
    if inner == "secret":
        return _is_random(value, fewest=1) or _is_hexadecimal(value)
    return inner == "password" or len(set(value)) >= _FEWEST_DISTINCT


def _is_random(value: str, fewest: int) -> bool:
    """Whether it has capitals, small letters and digits, that many of each, in no order."""
    kinds = (str.isupper, str.islower, str.isdigit)
    # A short text cannot reach the entropy of a long one: its own limit is log2 of its length.
    needed = min(_ENTROPY, log2(len(value)) - _SLACK)
    return entropy(value) >= needed and all(sum(map(kind, value)) >= fewest for kind in kinds)


def _is_hexadecimal(value: str) -> bool:
    is_written_so = re.fullmatch(r"(?=.*\d)(?=.*[a-f])[0-9a-f]+", value.lower()) is not None
    return is_written_so and entropy(value) >= _HEXADECIMAL_ENTROPY


def entropy(text: str) -> float:
    """Bits a character of a text that is not empty, from how often each stands in it."""
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * log2(share) for share in shares)


def _is_made_up_address(local: str, domain: str) -> bool:
    return re.fullmatch(_ROLES, local, re.IGNORECASE) is not None or any(
        re.fullmatch(pattern, domain, re.IGNORECASE)
        for pattern in (_RESERVED_DOMAIN, _MADE_UP_DOMAIN)
    )


def _shown(kind: str, value: str) -> str:
    if kind == "a private key":
        return kind
    return f"{kind} ({value[:_LONGEST_SHOWN]!r}…)"
