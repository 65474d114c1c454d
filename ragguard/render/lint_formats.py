"""The formats of `ragguard lint`: one file each, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragguard.lint.result import LintResult
    from ragguard.render.lint_view import LintView

NAMES = ("text", "concise", "json", "github", "sarif", "junit", "gitlab")
"""Each is the function `lint_<name>` of the module `ragguard.render.lint_<name>`."""

WITH_EXCERPTS = frozenset({"text", "sarif", "gitlab"})
"""Formats that show or use the lines that findings point at."""

WITH_STATISTICS = ("text", "concise", "json")
"""Formats that can count findings by rule in place of listing them."""


def formatted(name: str, result: LintResult, view: LintView) -> Iterator[str]:
    """The findings in a format, piece by piece; joined they are the whole text.

    Args:
        name: one of `NAMES`.
        result: what was found.
        view: how to show it.
    """
    module = import_module(f"ragguard.render.lint_{name}")
    render: Callable[[LintResult, LintView], Iterator[str]] = getattr(module, f"lint_{name}")
    return render(result, view)


def counted(name: str, result: LintResult, view: LintView) -> Iterator[str]:
    """How many findings of each rule there are, in a format.

    Args:
        name: one of `WITH_STATISTICS`.
        result: what was found.
        view: how to show it.
    """
    from ragguard.render.lint_statistics import statistics_json, statistics_text

    return (statistics_json if name == "json" else statistics_text)(result, view)
