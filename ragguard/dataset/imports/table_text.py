"""The text of a table's file: decompressed, decoded, without a byte-order mark."""

from __future__ import annotations

from pathlib import Path

from ragguard.dataset.decoding import likely_encoding
from ragguard.dataset.lines import BOM, read_lines
from ragguard.errors import InputError
from ragguard.location import Location

_BINARY_FORMS = {
    b"PK\x03\x04": ("a workbook or another zip file", "save the sheet as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "save the sheet as CSV"),
    b"PAR1": ("a Parquet file", "write it as CSV or JSON Lines"),
    b"SQLite format 3": ("a SQLite database", "export the table as CSV"),
}
"""How files that are no text begin, what they are, and the way out."""

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: Path, shown: str, encoding: str | None) -> str:
    """The whole text of a file; line ends stay as they are.

    Args:
        path: the file; gzip is recognised by its first bytes.
        shown: its name in errors.
        encoding: a codec that Python knows; None for UTF-8.

    Raises:
        InputError: it cannot be read, or is in another encoding.
    """
    content = b"\n".join(line.raw for line in read_lines(path, shown))
    for magic, (what, way) in _BINARY_FORMS.items():
        if content.startswith(magic):
            raise InputError(f"{what}, not a text", location=Location(shown), hint=way)
    try:
        text = content.removeprefix(BOM).decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        raise _undecodable(content, error, shown, encoding) from error
    null = text.find("\0")
    if null >= 0:
        raise InputError(
            "a null character: this is no text, or text in another encoding",
            location=Location(shown, text.count("\n", 0, null) + 1),
            hint="say which: --encoding utf-16",
        )
    return text.removeprefix("\ufeff")


def _undecodable(
    content: bytes, error: UnicodeDecodeError, shown: str, encoding: str | None
) -> InputError:
    likely = likely_encoding(content).lower()
    line = content.count(b"\n", 0, error.start) + 1
    if encoding is not None:
        return InputError(
            f"not {encoding}: {error.reason}",
            location=Location(shown, line),
            hint=f"leave --encoding out for UTF-8; it looks like {likely}",
        )
    is_wide = content.startswith(_UTF16_MARKS)
    return InputError(
        f"not UTF-8: byte 0x{content[error.start]:02x}; it looks like {likely}",
        location=Location(shown, 1 if is_wide else line),
        hint=f"say which encoding it is: --encoding {likely}",
    )
