"""The house stands as it is drawn: imports go one way, pure rooms stay pure."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ragguard

PACKAGE = Path(ragguard.__file__).parent

FLOORS = [
    {"location"},
    {"errors"},
    {"resources"},
    {"metrics"},
    {"config"},
    {"dataset"},
    {"corpus"},
    {"lint", "retrievers"},
    {"evaluation", "migration"},
    {"report"},
    {"comparison"},
    {"gate"},
    {"render"},
    {"github"},
    {"cli"},
    {"__main__"},
]
"""Rooms from the ground up: a room imports from its own floor or from lower ones."""

BESIDE = {"git", "atomic"}
"""Rooms that import nothing of ragguard but location and errors; any room may use them."""

PURE = ("metrics", "comparison", "gate")
WORLDLY = {"os", "subprocess", "socket", "time", "datetime", "pathlib", "tempfile", "io", "sys"}
"""Modules through which a value could depend on something other than its arguments."""

LATE = {"ghapi", "jsonschema", "tabulate", "sqlite3"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the package by dotted name below `ragguard`."""
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] == "_data" or relative == Path("__init__.py"):
            continue
        name = ".".join(relative.with_suffix("").parts)
        yield name.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(modules())


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module that a piece of code imports, by dotted name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_used(tree: ast.AST) -> set[str]:
    """The rooms of ragguard that a module imports from."""
    names = (name.split(".") for name in imported(tree))
    return {parts[1] for parts in names if parts[0] == "ragguard" and len(parts) > 1} - {
        "__version__"
    }


def floor_of(room: str) -> int:
    """How high a room lies; 0 is the ground."""
    return next(height for height, rooms in enumerate(FLOORS) if room in rooms)


@pytest.mark.parametrize(("name", "tree"), MODULES.items(), ids=list(MODULES))
def test_imports_go_down_only(name: str, tree: ast.Module) -> None:
    """Nothing below imports anything above."""
    room = name.split(".", maxsplit=1)[0]
    used = rooms_used(tree) - {room}
    if room in BESIDE:
        assert used <= {"location", "errors"}
        return
    too_high = {other for other in used - BESIDE if floor_of(other) >= floor_of(room)}
    assert not too_high, f"{name} imports from above or beside: {sorted(too_high)}"


@pytest.mark.parametrize(("name", "tree"), MODULES.items(), ids=list(MODULES))
def test_pure_rooms_know_no_world(name: str, tree: ast.Module) -> None:
    """Metrics, comparison and gate take values and give values."""
    if name.split(".", maxsplit=1)[0] in PURE:
        assert not {used.split(".")[0] for used in imported(tree)} & WORLDLY


def test_only_one_file_knows_ghapi() -> None:
    """A change of GitHub client is a change of one file."""
    users = {
        name
        for name, tree in MODULES.items()
        if any(
            used.split(".")[0] in {"ghapi", "fastcore", "fasttransport"} for used in imported(tree)
        )
    }
    assert users == {"github.client"}


def test_starting_the_command_line_imports_nothing_slow() -> None:
    """`ragguard --help` pays for click alone."""
    code = "import sys, ragguard.cli; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not LATE & set(loaded)
    assert "yaml" not in loaded
