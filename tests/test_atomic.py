"""Files replaced whole or not at all: killed half-way, on a full disk, by other users."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ragguard.atomic import FileChangedError, FileState, replace_file, replacement

NOBODY = 65534


def run_script(script: str, *arguments: object, **options: object) -> subprocess.Popen[str]:
    """A Python script in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    )


def test_a_process_killed_while_it_writes_leaves_the_old_file(tmp_path: Path) -> None:
    """SIGKILL after half of the bytes are on disk."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old\n" * 1000)
    script = """
        import sys
        from pathlib import Path
        from ragguard.atomic import replacement
        with replacement(Path(sys.argv[1])) as stream:
            stream.write(b"new\\n" * 500)
            stream.flush()
            print("half", flush=True)
            sys.stdin.read()
    """
    process = run_script(script, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old\n" * 1000
    replace_file(path, b"new\n")  # what the killed one left does not stand in the way
    assert path.read_bytes() == b"new\n"


def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    """The system refuses to write on after 4 KiB."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old\n")
    script = """
        import resource, sys
        from pathlib import Path
        from ragguard.atomic import replace_file
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            replace_file(Path(sys.argv[1]), b"new\\n" * 100_000)
        except OSError as error:
            print(error.strerror)
    """
    told, _ = run_script(script, path).communicate()
    assert told == "File too large\n"
    assert [each.name for each in tmp_path.iterdir()] == ["docs.jsonl"]
    assert path.read_bytes() == b"old\n"


def test_an_exception_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    """Whoever makes the content may fail at it; so may ctrl-c."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old\n")

    def fail(error: type[BaseException]) -> None:
        with replacement(path) as stream:
            stream.write(b"new")
            raise error

    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            fail(error)
    assert [each.name for each in tmp_path.iterdir()] == ["docs.jsonl"]
    assert path.read_bytes() == b"old\n"


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664, 0o755])
def test_the_mode_is_kept(mode: int, tmp_path: Path) -> None:
    """A private dataset stays private; a new file is for everybody to read."""
    path = tmp_path / "docs.jsonl"
    replace_file(path, b"first")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(mode)
    replace_file(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    """What root mends stays its user's."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old")
    os.chown(path, NOBODY, NOBODY)
    replace_file(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="the system has no such attributes")
def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    """Access lists are such, too."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.origin", b"hand")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    replace_file(path, b"new")
    assert os.getxattr(path, "user.origin") == b"hand"


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    """Also through several links, into another folder."""
    (tmp_path / "data").mkdir()
    target = tmp_path / "data" / "docs.jsonl"
    target.write_bytes(b"old")
    (tmp_path / "second").symlink_to("data/docs.jsonl")
    (tmp_path / "first").symlink_to("second")
    replace_file(tmp_path / "first", b"new")
    assert (tmp_path / "first").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert not target.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_hard_link_keeps_the_old_content(tmp_path: Path) -> None:
    """It may be a backup, which must not change behind its owner's back."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old")
    os.link(path, tmp_path / "backup.jsonl")
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert (tmp_path / "backup.jsonl").read_bytes() == b"old"


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    """Moving another in its place would need no right to write to it; root needs none anyway."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert stat.S_IMODE(path.stat().st_mode) == 0o444


def change_file(path: Path, how: str) -> None:
    """What an editor, another tool or a person does to a file."""
    if how == "append":
        with path.open("ab") as stream:
            stream.write(b"more")
    elif how == "replace":
        other = path.with_name("other")
        other.write_bytes(path.read_bytes())
        other.replace(path)
    elif how == "touch":
        os.utime(path)
    else:
        path.unlink()


@pytest.mark.parametrize("how", ["append", "replace", "touch", "remove"])
def test_a_file_that_changed_meanwhile_is_refused(how: str, tmp_path: Path) -> None:
    """Another's work is not overwritten, whichever way it was saved."""
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"old")
    state = FileState.of(path.stat())

    def replace() -> None:
        with replacement(path, state) as stream:
            stream.write(b"new")
            change_file(path, how)

    with pytest.raises(FileChangedError):
        replace()
    expected = {"append": b"oldmore", "remove": None}.get(how, b"old")
    assert (path.read_bytes() if path.exists() else None) == expected
    assert [each.name for each in tmp_path.iterdir()] == ([] if expected is None else [path.name])
