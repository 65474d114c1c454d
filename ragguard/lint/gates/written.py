"""Where the gates of a suite are written in its configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config
from ragguard.config.positions import PositionedYaml
from ragguard.location import Location
from ragguard.metrics.name import Metric, MetricNameError


@dataclass(frozen=True, slots=True)
class WrittenGates:
    """The part of a configuration that is about one suite.

    Attributes:
        document: the configuration.
        suite: the suite's name.
    """

    document: PositionedYaml
    suite: str

    @classmethod
    def read(cls, config: Config, suite: str) -> WrittenGates | None:
        """Read the configuration once more for its places; None where there is no file of it."""
        if config.path is None:
            return None
        text = config.path.read_bytes().decode("utf-8-sig")
        return cls(PositionedYaml.parse(text, shown_path(config.path)), suite)

    def has(self, name: str) -> bool:
        """Whether a gate is written at all, and not there by default."""
        return name in (self._suite.get("gates") or {})

    def locate(self, *path: str | Metric) -> Location:
        """Where a setting of the suite stands; a metric is found however it is spelled."""
        steps: list[str | int] = ["suites", self.suite]
        found: Any = self._suite
        for step in path:
            key = _spelling(found, step) if isinstance(step, Metric) else step
            steps.append(key)
            found = found.get(key) if isinstance(found, dict) else None
        return self.document.locate_key(steps)

    @property
    def _suite(self) -> dict[str, Any]:
        suite: dict[str, Any] = self.document.value["suites"][self.suite]
        return suite


def _spelling(limits: Any, metric: Metric) -> str:
    for key in limits if isinstance(limits, dict) else ():
        try:
            if Metric.parse(key) == metric:
                return str(key)
        except MetricNameError:
            continue  # `critical`, `slices` …
    return str(metric)
