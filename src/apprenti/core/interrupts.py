"""Whoever ends the program is heard, even while Python tidies up.

Python drops what is raised inside `__del__`, in the callback of a weak reference or in a generator that is being
closed, and that can be the Ctrl-C of a person: loading compiled code deletes many an object with `__del__`.
"""

import _thread
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

PAUSE = 0.01
"""Seconds after which a signal that was dropped is sent again; by then Python does something else."""


@contextmanager
def always_heard() -> Iterator[None]:
    """Send a signal again, until it is heard, when the exception that its handler raised was dropped."""
    usual = sys.unraisablehook

    def hook(dropped: "sys.UnraisableHookArgs") -> None:
        number = _signal_of(dropped.exc_value)
        if number is None:
            usual(dropped)
        else:
            _thread.start_new_thread(_send_again, (number,))

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _signal_of(error: BaseException | None) -> signal.Signals | None:
    """The signal whose handler raises this, if any."""
    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT
    if isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
        return signal.Signals(error.code - 128)
    return None


def _send_again(number: signal.Signals) -> None:
    sleep(PAUSE)
    _thread.interrupt_main(number)
