"""What the files of the makers hold, read and counted without ragguard."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.shared_data import shared


def data(relative: str) -> str:
    """The text of a file of the collections."""
    return shared(f"data/{relative}").read_text("utf-8")


def table(relative: str, **form: Any) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(data(relative).splitlines(keepends=True), **form))


def json_lines(relative: str) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in data(relative).split("\n") if line.strip()]


def repeated(values: Iterable[Any]) -> int:
    """How many values stood before."""
    return sum(count - 1 for count in Counter(values).values())


def folded(text: str) -> str:
    """A text without case, white space and punctuation."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return "".join(each for each in normal if unicodedata.category(each)[0] not in "PZC")


def words(text: str) -> list[str]:
    """The words of a text without case, accents and apostrophes."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(each for each in plain if not unicodedata.combining(each))
    return re.findall(r"[^\W_]+", re.sub("['\u2019]", "", kept))


def number_like(id_: str) -> bool:
    """Whether a program that infers types takes an id for a number, and another one than it is."""
    try:
        return repr(float(id_)) != id_ and str(int(float(id_))) != id_
    except OverflowError:
        return True
    except ValueError:
        return False
