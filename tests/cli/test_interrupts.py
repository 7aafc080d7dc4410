"""A Ctrl-C is never lost, wherever Python is when it comes."""

import os
import signal
import sys
from time import monotonic, sleep

import pytest

from apprenti.cli.main import main
from apprenti.cli.screen import Terminal, leave, woken_by_signals
from apprenti.core.machine import always_heard


class Tidied:
    """Is interrupted while it is tidied up, where Python drops whatever is raised."""

    def __init__(self, number, times=1):
        self.number, self.times = number, times

    def __del__(self):
        if self.times > 1:
            Tidied(self.number, self.times - 1)
        signal.raise_signal(self.number)


def generator(number):
    try:
        yield
    finally:
        signal.raise_signal(number)


def in_a_generator(number):
    started = generator(number)
    next(started)
    del started


@pytest.mark.parametrize("drop", [Tidied, lambda number: Tidied(number, 3), in_a_generator])
def test_a_ctrl_c_that_python_drops_is_pressed_again(drop):
    with pytest.raises(KeyboardInterrupt), always_heard():
        drop(signal.SIGINT)
        sleep(5)


def test_whoever_is_told_to_end_ends():
    before = signal.signal(signal.SIGTERM, leave)
    try:
        with pytest.raises(SystemExit) as left, always_heard():
            Tidied(signal.SIGTERM)
            sleep(5)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert left.value.code == 128 + signal.SIGTERM


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_other_errors_are_told_as_ever(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: told.append(dropped.exc_type))
    with always_heard():
        Broken()
    assert told == [ZeroDivisionError]


class Broken:
    def __del__(self):
        _ = 1 / 0


def test_the_command_line_hears_it(monkeypatch, capsys):
    def run(arguments):
        Tidied(signal.SIGINT)
        sleep(5)

    monkeypatch.setattr("apprenti.cli.main.run", run)
    assert main(["games"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_signal_that_comes_just_before_python_waits_for_a_key_ends_the_wait(monkeypatch):
    """Once Python has looked for signals, only what it waits for can wake it: there is a byte for each signal."""
    nobody, presses = os.pipe()
    heard, before = [], signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    try:
        with os.fdopen(nobody) as keyboard, woken_by_signals() as woken:
            monkeypatch.setattr(sys, "stdin", keyboard)
            signal.raise_signal(signal.SIGUSR1)
            assert heard == [1]  # so `select` by itself would not return any more
            began = monotonic()
            assert Terminal(woken).key(timeout=60) is None
            assert monotonic() - began < 30
            os.write(presses, b"q")
            assert Terminal(woken).key(timeout=60) == "q"
    finally:
        signal.signal(signal.SIGUSR1, before)
        os.close(presses)
