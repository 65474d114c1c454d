"""What a run of act left: read from its JSON log, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.loopback.state import WorkflowRun

ANNOTATIONS = ("error", "warning", "notice")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A workflow command ``::error …`` as the runner understood it: escapes undone.

    ``step`` is named as in ``Result.steps``; GitHub shows ten errors and ten warnings of a step.
    """

    level: str
    message: str
    properties: dict[str, str]
    step: str


@dataclass(slots=True)
class Result:
    """What came of one run.

    ``steps`` maps ``JOB/STEP`` (inside a composite action ``JOB/STEP/INNER``; a step without id is
    its index) to ``success``, ``failure`` or ``skipped``; ``summaries`` the same names to what the
    step wrote into its job summary. ``log`` is all that was printed, secrets not hidden.
    """

    exit_code: int
    run: WorkflowRun
    log: str = ""
    jobs: dict[str, str] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)
    _outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The job summary: what all steps wrote, in order."""
        return "".join(self.summaries.values())

    def outputs(self, step: str) -> dict[str, str]:
        """The outputs of a step, by its id or by ``JOB/STEP``; {} for none.

        LookupError when two jobs have a step of that id.
        """
        found = [name for name in self._outputs if name == step or name.split("/")[1:] == [step]]
        if len(found) > 1:
            raise LookupError(f"{step!r} is in several jobs: {found}")
        return self._outputs[found[0]] if found else {}

    def annotations_of(self, level: str) -> list[Annotation]:
        """The annotations of ``error``, ``warning`` or ``notice``."""
        return [each for each in self.annotations if each.level == level]


def read(lines: Iterable[str], exit_code: int, run: WorkflowRun) -> Result:
    """The result in the JSON log of act; lines that are no JSON are part of the log."""
    result = Result(exit_code, run)
    log = []
    for record in _records(lines):
        log.append(record.get("raw") or record.get("msg", ""))
        _take(result, record)
    result.log = "".join(each if each.endswith("\n") else f"{each}\n" for each in log)
    composites = {name.rsplit("/", 1)[0] for name in result.steps}
    result.summaries = {k: v for k, v in result.summaries.items() if k not in composites}
    return result


def _records(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            yield {"msg": line}


def _take(result: Result, record: dict[str, Any]) -> None:
    job = record.get("job", "").rsplit("/", 1)[-1]
    name = "/".join([job, *record.get("stepID", ())])
    command = record.get("command")
    if "jobResult" in record:
        result.jobs[job] = record["jobResult"]
    if "stepResult" in record and record.get("stage") == "Main":
        result.steps[name] = record["stepResult"]
    if command == "summary":
        result.summaries[name] = record["content"]
    if command == "set-output":
        result._outputs.setdefault(name, {})[record["name"]] = record["arg"]
    if command in ANNOTATIONS:
        properties = record.get("kvPairs") or {}
        result.annotations.append(Annotation(command, record["arg"], properties, name))
