"""Codes in a configuration that no rule has: they would silently choose nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, LintSettings
from ragguard.config.positions import Path as Steps
from ragguard.config.positions import PositionedYaml
from ragguard.config.problem import ConfigProblem, InvalidConfigError
from ragguard.lint.selection import KNOWN_CODES, is_known

LISTS = ("select", "extend_select", "ignore")


def check_codes(config: Config) -> None:
    """Refuse a configuration that names a rule which does not exist.

    Raises:
        InvalidConfigError: it does; every such code is named, with line and column.
    """
    unknown = [(steps, code) for steps, code in _codes(config.lint) if not is_known(code)]
    if not unknown or config.path is None:
        return
    text = config.path.read_bytes().decode("utf-8-sig")
    document = PositionedYaml.parse(text, shown_path(config.path))
    raise InvalidConfigError(
        ConfigProblem(
            document.locate_key(steps) if steps[1] == "severity" else document.locate(steps),
            f"{'.'.join(map(str, steps[:-1]))}: no lint rule matches {code!r}",
            KNOWN_CODES,
        )
        for steps, code in unknown
    )


def _codes(settings: LintSettings) -> Iterator[tuple[Steps, str]]:
    """Every code of these settings, with the way to it in the configuration."""
    for name in LISTS:
        for index, code in enumerate(getattr(settings, name)):
            yield ("lint", name, index), code
    for glob, codes in settings.per_file_ignores.items():
        for index, code in enumerate(codes):
            yield ("lint", "per_file_ignores", glob, index), code
    for code in settings.severity:
        yield ("lint", "severity", code), code
