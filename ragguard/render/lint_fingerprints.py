"""What makes a finding the same finding in another run, when the lines around it have moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.excerpts import Excerpt
from ragguard.lint.result import LintResult
from ragguard.render.lint_view import LintView

_PLACE = re.compile(r"(?<=\w):\d+(?::\d+)?\b|\b(?:lines?|columns?|rows?) \d+", re.IGNORECASE)
"""Lines and columns that messages name; they move with every line put in before them."""


def fingerprinted(
    result: LintResult, view: LintView
) -> Iterator[tuple[Diagnostic, Excerpt | None, str]]:
    """Each finding with its excerpt and its fingerprint, 32 hex digits, unlike all others.

    It is made from the rule, the file, the query and the message; where no query is known, from
    the line. Twins are numbered in file order.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for found, excerpt in view.excerpted(result):
        message = _PLACE.sub("", found.message)
        line = excerpt.digest if excerpt and found.query_id is None else ""
        file = view.in_repository(found.location.file)
        facts = (found.code, file, found.query_id or "", line, message)
        seen[facts] += 1
        told = "\0".join([*facts, str(seen[facts])])
        digest = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        yield found, excerpt, digest
