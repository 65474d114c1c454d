"""Ending in order when the system asks for it: what was started is ended, too."""

from __future__ import annotations

import signal
import sys
from types import FrameType

_REQUESTS = ("SIGTERM", "SIGHUP")


def end_in_order() -> None:
    """From now on leave by an exception when told to end, as Ctrl-C does.

    A cancelled job or a closed terminal would otherwise end ragguard alone, and leave a retriever
    and whatever that started running. A signal that is ignored (`nohup`) stays ignored.
    """
    for name in _REQUESTS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
