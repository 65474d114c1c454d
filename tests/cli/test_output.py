"""Where a command's result goes."""

from __future__ import annotations

from itertools import islice, repeat
from pathlib import Path

import pytest

from ragguard.cli.output import _portions, deliver
from ragguard.errors import UsageError


def test_pieces_are_written_as_they_come() -> None:
    """A run with a million findings is never in memory as one text; a short one is one write."""
    endless = _portions(repeat("x" * 1000))
    assert [len(portion) for portion in islice(endless, 2)] == [66_000, 66_000]
    assert list(_portions(["a", "b"])) == ["ab"]


def test_a_text_and_its_pieces_are_the_same_file(tmp_path: Path) -> None:
    """Line ends stay line feeds, and nothing is cut off."""
    for text in ("é\nb\n", ["é", "\n", "b\n"], (each for each in "é\nb\n")):
        deliver(text, tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == "é\nb\n".encode()
    deliver([], tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b""
    with pytest.raises(UsageError, match="cannot write"):
        deliver("x", tmp_path / "gone" / "out")
