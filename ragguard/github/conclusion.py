"""What a run of the action concluded, before anybody is told."""

from __future__ import annotations

from dataclasses import dataclass

from ragguard.comparison.model import Comparison
from ragguard.config.model import Config
from ragguard.errors import ExitCode
from ragguard.gate.verdict import Outcome, Verdict
from ragguard.github.baseline import Baseline
from ragguard.lint.diagnostic import Diagnostic
from ragguard.report.model import Report


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A verdict with all that it rests on.

    Attributes:
        config: the configuration evaluated; None when it cannot be read.
        report: the evaluation, as judged; None when there is none.
        baseline: what it was compared with.
        diagnostics: findings of the linter.
        what_to_do: sentences for the reader when there is no verdict or no baseline.
        notes: further sentences for the reader.
        fault: exit code of an error that left no verdict.
    """

    verdict: Verdict
    config: Config | None = None
    report: Report | None = None
    comparison: Comparison | None = None
    baseline: Baseline | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    what_to_do: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fault: ExitCode | None = None

    def exit_code(self, *, is_gated: bool, fails: bool, missing_fails: bool) -> ExitCode:
        """The status with which the run ends.

        Args:
            is_gated: whether a failed gate fails this kind of event at all.
            fails: whether it was asked to (`fail-on: gate`).
            missing_fails: whether a missing baseline is a failure.
        """
        if self.fault is not None:
            return self.fault
        if self.verdict.outcome is Outcome.INCOMPLETE:
            return ExitCode.NO_VERDICT
        if not is_gated:
            return ExitCode.PASSED
        code = self.verdict.exit_code
        if self.verdict.outcome is Outcome.NO_BASELINE and missing_fails:
            code = ExitCode.FAILED
        return ExitCode.PASSED if code is ExitCode.FAILED and not fails else code
