"""The file is not UTF-8.

JSON Lines are UTF-8. Read in another encoding, ids no longer match those of the corpus, byte for
byte, and queries are searched for with other words than their authors wrote.

The finding names the encoding the bytes look like. A file in UTF-16 is reported once.

Fails: `café` saved as Latin-1, where `é` is the one byte `E9`. Passes: the same saved as UTF-8,
where it is `C3 A9`.

To fix: convert the file, `iconv -f ENCODING -t UTF-8`, or save it as UTF-8 in your editor.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.dataset.fault import FaultKind
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.text_line import TextLine

CODE, NAME, SEVERITY = "RG001", "not-utf8", Severity.ERROR
SCOPE = Scope.LINE


def check(line: TextLine) -> Iterator[Finding]:
    """Yield the first byte that is no UTF-8."""
    encoding = utf16(line.read.line.raw) if line.number == 1 else None
    if encoding:
        hint = f"convert the file: iconv -f {encoding} -t UTF-8"
        yield Finding(f"not UTF-8: the file looks like {encoding}", line.at(), hint)
        return
    yield from line.faults(FaultKind.ENCODING)


def utf16(beginning: bytes) -> str | None:
    """The encoding of a file whose first bytes show that every character takes two."""
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    first = beginning[:2]
    if first.count(b"\0") == 1:
        return "UTF-16LE" if first.endswith(b"\0") else "UTF-16BE"
    return None
