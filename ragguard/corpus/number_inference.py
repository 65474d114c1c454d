"""Ids that a spreadsheet or CSV reader took for numbers: `0912` became 912, `36e54439` infinity."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal

_READ = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?", re.ASCII)
_WRITTEN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]\d\d+)?", re.ASCII)
"""What is taken for a number, and how numbers are then written."""

_ROUNDED = re.compile(r"(\d)(?:\.(\d+))?[eE]\+(\d+)", re.ASCII)
_MOST_DIGITS = 40
_MOST_ZEROS = 12


def originals(text: str) -> frozenset[str]:
    """Texts that such a reader turns into this one, as far as they can be listed."""
    if _WRITTEN.fullmatch(text) is None or len(text) > _MOST_DIGITS:
        return frozenset()
    value = Decimal(text)
    if abs(value.adjusted()) > _MOST_DIGITS:
        return frozenset()
    return frozenset(each for each in _written(value) if each != text)


def _written(value: Decimal) -> Iterator[str]:
    minus = "-" if value.is_signed() else ""
    whole, _, fraction = f"{abs(value):f}".partition(".")
    fraction = fraction.rstrip("0")
    if not fraction:
        for zeros in range(_MOST_ZEROS + 1):
            yield minus + "0" * zeros + whole
        yield from _with_exponent(minus, whole)
    for before in range(4):
        for after in range(5):
            yield f"{minus}{'0' * before}{whole}.{fraction}{'0' * after}"


def _with_exponent(minus: str, whole: str) -> Iterator[str]:
    """A whole number as `1e5`, `10E4`, `1e05` and the like."""
    zeros = len(whole) - len(whole.rstrip("0")) if whole != "0" else _MOST_ZEROS
    for power in range(zeros + 1):
        mantissa = whole[: len(whole) - power] if whole != "0" else "0"
        for letter in "eE":
            for exponent in (f"{power}", f"{power:02}", f"{power:03}", f"+{power}", f"+{power:02}"):
                for padding in ("", "0", "00"):
                    yield f"{minus}{padding}{mantissa}{letter}{exponent}"


def inferred(text: str) -> frozenset[str]:
    """What such a reader may turn a text into, and how that is then written."""
    if _READ.fullmatch(text) is None or len(text) > _MOST_DIGITS:
        return frozenset()
    value = float(text)
    if math.isinf(value):
        return frozenset({"inf", "Infinity", "-inf", "-Infinity"}) - {text}
    written = {repr(value)}
    if value.is_integer() and abs(value) < 10**_MOST_DIGITS:
        # Digits beyond those of a double are lost only where there is an exponent or a fraction.
        written.add(str(int(text) if text.lstrip("-").isdigit() else int(value)))
    return frozenset(written - {text})


def pattern_of(text: str) -> re.Pattern[str] | None:
    """What finds ids that lost all but their first digits; None where `originals` lists them.

    It is looked for between null characters.
    """
    if text.lower().lstrip("-") in {"inf", "infinity", "∞"}:
        return re.compile(r"(?<=\0)\d+[eE]\+?\d{3,}(?=\0)", re.ASCII)
    rounded = _ROUNDED.fullmatch(text)
    if rounded is None:
        return None
    digits, power = rounded[1] + (rounded[2] or ""), int(rounded[3])
    if not len(digits) <= power < _MOST_DIGITS:
        return None
    last = int(digits[-1])
    ends = f"[{max(last - 1, 0)}{last}]"
    return re.compile(
        rf"(?<=\0)0*{digits[:-1]}{ends}\d{{{power + 1 - len(digits)}}}(?=\0)", re.ASCII
    )


def becomes(chunk_id: str, text: str) -> bool:
    """Whether an id that a `pattern_of` a text finds is turned into that text."""
    if text.lower().lstrip("-") in {"inf", "infinity", "∞"}:
        return math.isinf(float(chunk_id))
    rounded = _ROUNDED.fullmatch(text)
    if rounded is None or not chunk_id.isdigit():
        return False
    return Decimal(f"{int(chunk_id):.{len(rounded[2] or '')}e}") == Decimal(text)


def lost(chunk_id: str, text: str) -> str:
    """What an id lost when it became that number, in words."""
    digits = chunk_id.lstrip("-")
    if "e" in digits.lower():
        return "its exponent"
    if "e" in text.lower():
        return "its last digits"
    if digits.startswith("0") and len(digits) > 1 and digits[1] != ".":
        return "its leading zeros" if digits.startswith("00") else "its leading zero"
    if "." in digits and "." in text and len(digits) > len(text.lstrip("-")):
        return "its last zero"
    return "its form"
