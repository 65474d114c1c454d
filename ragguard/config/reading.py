"""From `ragguard.yml` to a `Config`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragguard.config.discovery import CONFIG_NAME, find_config, shown_path
from ragguard.config.environment import references_of
from ragguard.config.mapping import gates_from_mapping, policy_from_mapping
from ragguard.config.model import (
    DEFAULT_CUTOFFS,
    CommentSettings,
    Config,
    LintSettings,
    RetrieverSettings,
    Scoring,
    Suite,
)
from ragguard.config.positions import PositionedYaml
from ragguard.config.problem import InvalidConfigError
from ragguard.config.retriever_checks import RETRIEVER_KINDS
from ragguard.config.validation import check
from ragguard.errors import ConfigError
from ragguard.location import Location
from ragguard.metrics.name import Metric

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
_DURATION = re.compile(r"([0-9.]+)(ms|s|m)")
_COMMON_KEYS = frozenset({"timeout", "concurrency", "trials", *RETRIEVER_KINDS})


def locate_config(given: str | None, start: Path) -> Path:
    """The configuration a command uses: the one given, else the one that governs `start`.

    Raises:
        ConfigError: none was given and none is found.
    """
    if given is not None:
        return Path(given)
    found = find_config(start)
    if found is None:
        raise ConfigError(
            f"no {CONFIG_NAME} found from {shown_path(start)} upwards to the repository's root",
            hint="write one (docs/configuration.md), or name it with --config",
        )
    return found


def read_config(path: Path) -> Config:
    """Read a configuration file.

    Raises:
        ConfigError: it cannot be read, is not UTF-8 or not YAML.
        InvalidConfigError: it breaks the schema or contradicts itself; names every problem.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(
            f"cannot read the configuration: {error.strerror or error}",
            location=Location(shown_path(path)),
            hint="name the right file with --config",
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"not UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}",
            location=Location(shown_path(path)),
            hint="save the file as UTF-8",
        ) from error
    return config_from_text(text, path)


def config_from_text(text: str, path: Path) -> Config:
    """The configuration that `text` describes, as if read from `path`.

    Raises:
        ConfigError, InvalidConfigError: as `read_config`.
    """
    document = PositionedYaml.parse(text, shown_path(path))
    problems = check(document)
    if problems:
        raise InvalidConfigError(problems)
    return _config(document, path)


def _config(document: PositionedYaml, path: Path) -> Config:
    raw: Mapping[str, Any] = document.value
    return Config(
        root=path.absolute().parent,
        path=path,
        suites={name: _suite(name, suite, document) for name, suite in raw["suites"].items()},
        lint=_lint(raw.get("lint", {})),
        comment=CommentSettings(**raw.get("comment") or {}),
    )


def _lint(raw: Mapping[str, Any]) -> LintSettings:
    lists = {key: tuple(value) for key, value in raw.items() if isinstance(value, list)}
    per_file = raw.get("per_file_ignores", {})
    return LintSettings(
        **lists,
        per_file_ignores={glob: tuple(codes) for glob, codes in per_file.items()},
        severity=raw.get("severity", {}),
        ignore_list=raw.get("ignore_list"),
    )


def _suite(name: str, raw: Mapping[str, Any], document: PositionedYaml) -> Suite:
    dataset = raw["dataset"]
    retriever = raw.get("retriever")
    return Suite(
        name=name,
        dataset=(dataset,) if isinstance(dataset, str) else tuple(dataset),
        scoring=_scoring(raw),
        corpus=raw.get("corpus"),
        fields=raw.get("fields", {}),
        unlabelled=raw.get("unlabelled", "error"),
        retriever=_retriever(retriever, name, document) if retriever else None,
    )


def _scoring(raw: Mapping[str, Any]) -> Scoring:
    cutoffs = tuple(sorted(raw.get("cutoffs", DEFAULT_CUTOFFS)))
    return Scoring(
        primary=Metric.parse(raw["primary"]) if "primary" in raw else default_primary(cutoffs),
        cutoffs=cutoffs,
        depth=raw.get("depth", max(20, *cutoffs)),
        policy=policy_from_mapping(raw.get("policy", {})),
        slices=tuple(raw.get("slices", ("category",))),
        system=raw.get("system", {}),
        gates=gates_from_mapping(raw.get("gates", {})),
    )


def default_primary(cutoffs: tuple[int, ...]) -> Metric:
    """Evidence at the largest cutoff of at most 5; at the smallest cutoff when all are larger."""
    return Metric("evidence", max((k for k in cutoffs if k <= 5), default=min(cutoffs)))


def _retriever(raw: Mapping[str, Any], suite: str, document: PositionedYaml) -> RetrieverSettings:
    kind = next(kind for kind in RETRIEVER_KINDS if kind in raw)
    options = {key: value for key, value in raw.items() if key not in _COMMON_KEYS}
    if kind in {"http", "search"}:
        options |= raw[kind] or {}
    return RetrieverSettings(
        kind=kind,
        target=_target(kind, raw[kind]),
        options=options,
        timeout=seconds(raw.get("timeout", "10s")),
        concurrency=raw.get("concurrency", 1),
        references=references_of(document, ["suites", suite, "retriever"], raw),
    )


def _target(kind: str, named: Any) -> str | None:
    match kind:
        case "search":
            return None
        case "http":
            return str(named["url"])
        case "command":
            return named if isinstance(named, str) else shlex.join(named)
        case _:
            return str(named)


def seconds(duration: str | float) -> float:
    """A duration (`500ms`, `10s`, `2m`, or a number of seconds) in seconds."""
    if not isinstance(duration, str):
        return float(duration)
    match = _DURATION.fullmatch(duration)
    if not match:
        raise ValueError(f"{duration!r} is not a duration")
    return float(match[1]) * _UNITS[match[2]]
