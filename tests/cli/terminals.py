"""A pseudo-terminal with the program in it: press keys, look at the screen."""

import fcntl
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import pytest

from apprenti.cli.main import main
from apprenti.store.agentfile import AgentFile, write_agent

PATIENCE = 15.0
FRAME = re.compile(r"\x1b\[H(.*?)\x1b\[J", re.DOTALL)
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _own_the_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # or Ctrl-C would reach nobody


class PseudoTerminal:
    """`apprenti` on a terminal."""

    def __init__(self, *arguments: str, rows: int = 40, columns: int = 100, colour: bool = False) -> None:
        self.keyboard, self.line = pty.openpty()
        termios.tcsetwinsize(self.line, (rows, columns))
        self.before = self.attributes
        self.output, self.decoder = "", getincrementaldecoder("utf-8")()  # a character may come in two parts
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "apprenti", *arguments],
            stdin=self.line, stdout=self.line, stderr=self.line,
            env={**kept, "TERM": "xterm-256color", **({} if colour else {"NO_COLOR": "1"})},
            start_new_session=True, preexec_fn=_own_the_terminal,
        )  # fmt: skip

    @property
    def attributes(self) -> list[Any]:
        return termios.tcgetattr(self.line)

    @property
    def is_restored(self) -> bool:
        left = self.output.rfind("\x1b[?1049l")
        return (
            self.attributes == self.before
            and self.output.rfind("\x1b[?25h") >= 0
            and left > self.output.rfind("[?1049h")
        )

    @property
    def screens(self) -> list[str]:
        """Every whole screen that was drawn."""
        return [ESCAPES.sub("", frame).replace("\r", "") for frame in FRAME.findall(self.output)]

    @property
    def screen(self) -> str:
        """The last whole screen that was drawn."""
        return self.screens[-1] if self.screens else ""

    @property
    def afterwards(self) -> str:
        """What stands on the terminal when the program has left its own screen."""
        return ESCAPES.sub("", self.output.rpartition("\x1b[?1049l")[2]).replace("\r", "")

    def press(self, keys: str) -> None:
        os.write(self.keyboard, keys.encode())

    def _read(self) -> None:
        if select.select([self.keyboard], [], [], 0.02)[0]:
            self.output += self.decoder.decode(os.read(self.keyboard, 65536))

    def wait(self, for_it: str | Callable[[str], bool]) -> str:
        """Wait until the screen says something."""
        deadline = monotonic() + PATIENCE
        while not (for_it in self.screen if isinstance(for_it, str) else for_it(self.screen)):
            assert monotonic() < deadline, (
                f"never seen: {for_it}; the last screen was\n{self.screen}\n{self.output[-500:]}"
            )
            assert self.process.poll() is None, f"ended early: {self.output[-500:]}"
            self._read()
        return self.screen

    def wait_for_words(self, words: str) -> None:
        """Wait until something has been written, on a screen or not."""
        deadline = monotonic() + PATIENCE
        while words not in self.output:
            assert monotonic() < deadline, f"never said: {words}; the last words were {self.output[-500:]}"
            assert self.process.poll() is None, f"ended early: {self.output[-500:]}"
            self._read()

    def finish(self) -> int:
        """Wait for the end; return the exit code."""
        deadline = monotonic() + PATIENCE
        while self.process.poll() is None:
            assert monotonic() < deadline, f"does not end; the last screen was\n{self.screen}"
            self._read()
        self._read()
        return self.process.returncode

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)
        os.close(self.line)


@pytest.fixture
def terminal() -> Iterator[Callable[..., PseudoTerminal]]:
    """Start the program on a pseudo-terminal of its own."""
    opened: list[PseudoTerminal] = []

    def start(*arguments: str, **size: Any) -> PseudoTerminal:
        opened.append(PseudoTerminal(*arguments, **size))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.fixture
def begun(terminal: Callable[..., PseudoTerminal]) -> Callable[..., PseudoTerminal]:
    """Start the program and read its page of rules."""

    def start(*arguments: str, **size: Any) -> PseudoTerminal:
        game = terminal(*arguments, **size)
        game.wait("any key goes on")
        game.press(" ")
        return game

    return start


@pytest.fixture
def anybody(tmp_path: Path) -> str:
    """The file of somebody who makes any move at Luzhanqi."""
    path = tmp_path / "anybody.json"
    write_agent(path, AgentFile("anybody", "any move", "luzhanqi", "random-moves", {}, "ccgc", "tests, 2026"))
    return str(path)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Away from the checkout: whatever is written must be written where it was asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def run(capsys):
    """Run a command: exit code, standard output, standard error."""

    def run_command(*arguments):
        code = main([*map(str, arguments)])
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def one_object(run):
    """Run a command with --json: exactly one JSON object on standard output, and nothing beside it."""

    def run_command(*arguments):
        code, out, err = run(*arguments, "--json")
        said = [line for line in err.splitlines() if not line.startswith("compiling")]  # a fresh machine does
        assert (code, said, out.count("\n")) == (0, [], 1)
        data = json.loads(out, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))
        assert isinstance(data, dict)
        return data

    return run_command


@pytest.fixture
def refused(run, tmp_path):
    """Run a command with wrong input: one sentence, exit code 2, nothing shown and nothing written."""

    def run_command(why, *arguments):
        before = sorted(tmp_path.rglob("*"))
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert re.fullmatch(r"apprenti: .+[.?)]\n", err)
        assert why in err
        assert sorted(tmp_path.rglob("*")) == before

    return run_command


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    """An agent in `learned.json` that likes the corners on the empty board of 3x3x3, and has learned nothing else."""
    from apprenti.games.mnk import Rules, State
    from apprenti.games.mnk.codes import keys_of

    state = State.start(Rules())
    (corner,) = keys_of(state, [0])
    arrays = {"keys": np.array([corner], np.uint64), "values": np.array([0.75])}
    path = tmp_path / "learned.json"
    write_agent(
        path, AgentFile("learned", "t", "mnk", "table", {"size": "3x3x3"}, {"size": "3x3x3"}, "2026", arrays=arrays)
    )
    return path
