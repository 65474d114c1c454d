"""Files that are read whole or not at all: the first fault refuses them."""

from __future__ import annotations

from typing import Any

from ragguard.dataset.decoding import decode
from ragguard.dataset.fault import Fault
from ragguard.errors import InputError
from ragguard.location import Location


def whole_object(content: bytes, shown: str, hint: str | None = None) -> dict[str, Any]:
    """The one JSON object that a file is, decoded as strictly as a row.

    Args:
        content: the file without a byte-order mark.
        shown: its name in errors.
        hint: the way out; None for that of the fault, which speaks of rows.

    Raises:
        InputError: it is no JSON object, or has a fault; at the first.
    """
    decoded = decode(content)
    if decoded.value is None or decoded.faults:
        fault = decoded.faults[0]
        raise InputError(
            fault.message,
            location=place(decoded.text, fault.position, shown),
            hint=hint or fault.hint,
        )
    return decoded.value


def refusal(fault: Fault, line: Location) -> InputError:
    """The error of a faulty line where none may be left out."""
    location = Location(line.file, line.line, fault.position + 1)
    return InputError(fault.message, location=location, hint=fault.hint)


def place(text: str, position: int, shown: str) -> Location:
    """Line and column of a character of a file by its 0-based index."""
    line_start = text.rfind("\n", 0, position) + 1
    return Location(shown, text.count("\n", 0, position) + 1, position - line_start + 1)
