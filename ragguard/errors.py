"""The exception tree and the exit codes.

Every fault that a user can cause or mend is a `RagguardError`; the one handler
at the edge (`ragguard.cli`) prints it and leaves with its exit code. Anything
else that escapes is a defect of ragguard itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import ClassVar

from ragguard.location import Location


class ExitCode(IntEnum):
    """What a command's exit status says, everywhere."""

    PASSED = 0
    """Clean, or every gate passed."""
    FAILED = 1
    """Findings, or a gate failed."""
    UNUSABLE = 2
    """Wrong usage, wrong configuration or unreadable input."""
    NO_VERDICT = 3
    """The evaluation could not run, or the reports cannot be compared."""
    INTERRUPTED = 130
    """Stopped by the user."""


class RagguardError(Exception):
    """A fault with a message a user can act on.

    Args:
        message: what is wrong, naming the value at fault.
        location: where it stands, when it stands in a file.
        hint: the way out.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.UNUSABLE

    def __init__(
        self, message: str, *, location: Location | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.hint = hint

    def __str__(self) -> str:
        """`file:line:column: message`, the hint on a line of its own."""
        where = f"{self.location}: " if self.location else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{where}{self.message}{hint}"


class UsageError(RagguardError):
    """Arguments that cannot be acted on."""


class ConfigError(RagguardError):
    """A configuration that cannot be read or is not valid."""


class InputError(RagguardError):
    """A dataset, manifest, run file or report that cannot be read."""


class FaultyInputError(InputError):
    """An input with several faults, of which none may be passed over.

    Args:
        faults: those that are told, in the order of the input.
        left: what is said of the others, None when there are no others.
    """

    def __init__(self, faults: Sequence[InputError], left: InputError | None = None) -> None:
        first = faults[0]
        super().__init__(first.message, location=first.location, hint=first.hint)
        self.faults = (*faults, left) if left else tuple(faults)

    def __str__(self) -> str:
        """Each fault as it says itself, one after the other."""
        return "\n".join(map(str, self.faults))


class RetrieverError(RagguardError):
    """A retriever that cannot be started, or that answers no query at all."""

    exit_code = ExitCode.NO_VERDICT


class NotComparableError(RagguardError):
    """Two reports between which no number means anything."""

    exit_code = ExitCode.NO_VERDICT


class LookupFailedError(RagguardError):
    """A service that did not answer, so that nothing is known (not: that nothing is there)."""

    exit_code = ExitCode.NO_VERDICT
