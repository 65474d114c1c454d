"""The job summary, in bytes: one that is longer than GitHub takes is dropped whole."""

from __future__ import annotations

from pathlib import Path

from ragguard.errors import UsageError

LARGEST_SUMMARY = 1 << 20
"""Bytes of one step's summary."""

RENDERED_LENGTH = LARGEST_SUMMARY // 3 - 4_000
"""UTF-16 code units that fit for certain: none takes more than three bytes of UTF-8."""

_CUT = "\n\n… the rest is longer than a job summary may be; the report has it all.\n"


def append_summary(path: Path, text: str) -> None:
    """Add Markdown to the summary of this step; what does not fit is cut at a line, and that said.

    Raises:
        UsageError: the file cannot be written.
    """
    try:
        taken = path.stat().st_size if path.exists() else 0
        with path.open("ab") as stream:
            stream.write(fitting(text, LARGEST_SUMMARY - taken))
    except OSError as error:
        raise UsageError(f"cannot write the job summary: {error.strerror or error}") from error


def fitting(text: str, limit: int) -> bytes:
    """The text in UTF-8, at most `limit` bytes: whole lines, the last one saying that it is cut."""
    content = text.encode("utf-8", "replace")
    if len(content) <= limit:
        return content
    cut = _CUT.encode()
    if limit < len(cut):
        return b""
    kept = content[: limit - len(cut)]
    return kept[: kept.rfind(b"\n") + 1] + cut
