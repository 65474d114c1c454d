"""A manifest that is no plain file, or does not stay as it is, is named with the way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragguard.corpus.manifest import Manifest, open_manifest
from ragguard.errors import InputError

LINES = b"".join(b'{"id": "chunk-%05d", "text": "%s"}\n' % (n, b"x" * 60) for n in range(9_000))


def opened(folder: Path) -> Manifest:
    """A manifest of several blocks, opened."""
    path = folder / "m.jsonl"
    path.write_bytes(LINES)
    return open_manifest(path)


def test_what_is_no_plain_file_is_refused_without_waiting(tmp_path: Path) -> None:
    """A pipe would be waited for, or be empty the second time."""
    pipe, folder, link = tmp_path / "pipe", tmp_path / "folder", tmp_path / "link"
    os.mkfifo(pipe)
    folder.mkdir()
    link.symlink_to("gone.jsonl")
    for path, said in [
        (pipe, "pipe: a manifest is read more than once, which this pipe or device does not allow"),
        (Path("/dev/null"), "null: a manifest is read more than once"),
        (folder, "folder: a manifest is a file, this is a folder"),
        (link, "link: a link that leads nowhere: to 'gone.jsonl'"),
        (tmp_path / "gone", "gone: cannot read it: No such file"),
        (tmp_path / "nul\0", "cannot read it: "),
    ]:
        with pytest.raises(InputError, match=said) as caught:
            open_manifest(path)
        assert caught.value.hint or "\0" in str(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    """With what to do."""
    manifest = opened(tmp_path)
    manifest.path.chmod(0)
    with pytest.raises(InputError, match="Permission denied") as caught:
        manifest.view({"chunk-00001"})
    assert caught.value.hint == "make it readable"


def test_a_manifest_that_is_cut_between_two_passes_is_told(tmp_path: Path) -> None:
    """Its labels would all seem to dangle."""
    manifest = opened(tmp_path)
    assert not manifest.view({"chunk-08999"}).missing
    manifest.path.write_bytes(LINES[:1000])
    size = len(LINES)
    with pytest.raises(
        InputError, match=f"it changed while it was read: it had {size:,} bytes and has 1,000"
    ):
        manifest.nearest(["chunk-x"])


def test_a_manifest_that_changes_while_it_is_read_is_told(tmp_path: Path) -> None:
    """Cut, written to, put in place of, or gone: after the last chunk at the latest."""
    for change, said in [
        (lambda path: os.truncate(path, 300_000), "and has 300,000"),
        (lambda path: os.utime(path, ns=(1, 1)), "it was written to"),
        (lambda path: replace(path, LINES), "another file took its place|written to"),
        (Path.unlink, "it vanished while it was read: No such file"),
    ]:
        manifest = opened(tmp_path)
        chunks = manifest.iter_chunks()
        next(chunks)
        change(manifest.path)
        with pytest.raises(InputError, match=said) as caught:
            list(chunks)
        assert caught.value.hint


def replace(path: Path, content: bytes) -> None:
    """Put another file of the same name in place of one."""
    beside = path.with_suffix(".new")
    beside.write_bytes(content)
    beside.replace(path)
