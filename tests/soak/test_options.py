"""Every option of every command with absurd values: one sentence, or work begins. `make soak PART=options`."""

import contextlib
import io
import itertools
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from apprenti.cli.commands import clean
from apprenti.cli.commands.completion import options_of
from apprenti.cli.main import COMMANDS, main
from apprenti.learn.methods import METHODS, learner_class
from tests.soak.campaign import MINUTES, campaign

ROOT = Path(__file__).parents[2]
ABSURD = (
    "", " ", "x", "-1", "0", "1", "-0.0", "nan", "inf", "-inf", "1e308", "1e-320", str(2**63), str(-(2**70)), "9" * 400,
    "é" * 300, "²", "\udcff", "--", "-", "=", "../..", "/dev/null", "/nowhere/at/all", ".", "1x1", "0x0", "99999x99999",
    "3x3x99", "-4x4", "[", "{}", "None", "True", "a,b,c", ",", ":", "mcts:0", "mcts:99999999999", "engine:",
    "expectimax:", "sequence:", "weighted:I=-1", "$(id)", "%s%n", "\x1b[31m", "holes,holes", "local:0", "auto",
    "127.0.0.1:1", "x.py", "x.json", "x.png",
)  # fmt: skip
USUAL = {
    "play": ["tictactoe"], "watch": ["random"], "explain": ["mnk-perfect", "X.O/.X./..O x"],
    "web": ["--no-browser", "--port", "0"], "evaluate": ["dellacherie", "--size", "10x6", "--games", "2"],
    "compare": ["dellacherie", "random", "--size", "10x6", "--games", "2"],
    "tournament": ["random", "perfect", "--game", "tictactoe", "--games", "2"], "exploit": ["luzhanqi-random"],
    "engine": ["luzhanqi"], "referee": ["luzhanqi", "random", "random"], "solve": ["--size", "4x3"], "show": ["one"],
    "resume": ["one"], "replay": ["one.json"], "draw": ["drop"], "reproduce": ["players-10x10", "--short"],
    "bench": ["--quick"], "exercise": ["3"],
}  # fmt: skip
"""What a command needs before its options."""
PATIENCE = 0.4
"""Seconds after which the work has begun: the words were accepted."""


class Accepted(BaseException):
    """It has begun to work."""


def said_by(words, patience=PATIENCE):
    """The exit code of the command line, what it printed and what it complained of; -1 when it has begun to work."""
    out, err = io.StringIO(), io.StringIO()
    before = signal.signal(signal.SIGALRM, _begun)
    stdin, sys.stdin = sys.stdin, io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            signal.setitimer(signal.ITIMER_REAL, patience)  # 0 for ever
            code = main(words)
    except Accepted:
        code = -1
    except SystemExit as stop:
        code = stop.code or 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.stdin = stdin
    return code, out.getvalue(), err.getvalue()


def _begun(number, frame):
    """Not in the middle of an import or a compilation: what is half done there would be broken for all who follow."""
    while frame:
        if "importlib" in frame.f_code.co_filename or f"{os.sep}numba{os.sep}" in frame.f_code.co_filename:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            return
        frame = frame.f_back
    raise Accepted


def commands():
    """Every command and every method, with what it needs."""
    for name in COMMANDS:
        if name == "train":
            yield from (["train", method, "--iterations", "1"] for method in METHODS)
        else:
            yield [name, *USUAL.get(name, [])]


def wrong_with(words):
    """What is wrong with the answer to these words, if anything."""
    try:
        code, _, err = said_by(words)
    except Exception as error:
        return f"{words}: {error!r}"
    told = [line for line in err.splitlines() if line.startswith("apprenti: ")]
    if code not in (-1, 0, 1, 2, 130) or "Traceback" in err:
        return f"{words}: {code}, {err[-300:]}"
    return f"{words}: {err[-300:]}" if code == 2 and len(told) != 1 else ""


def cases(seed):
    """One absurd value for one option, command by command; now and then two."""
    rng = random.Random(seed)
    for method in METHODS:
        learner_class(method)  # a module that is half imported when the time is over would be broken for all who follow
    known = [
        (words, [each for each in options_of(*words[: 2 if words[0] == "train" else 1]) if each != "--help"])
        for words in commands()
    ]
    assert sum(len(options) for _, options in known) > 300
    for words, options in itertools.cycle(known):
        chosen = rng.sample(options, min(len(options), rng.choice((1, 1, 2))))
        more = [word for option in chosen for word in (option, rng.choice(ABSURD))] or [rng.choice(ABSURD)]
        yield wrong_with([*words, *more] if rng.random() < 0.9 else [words[0], rng.choice(ABSURD), *more])


def look(folder, seed, most, minutes):
    """The campaign in a process of its own: an alarm may go off anywhere, and leave anything half done."""
    words = [sys.executable, "-m", "tests.soak.test_options", str(seed), str(most), str(minutes)]
    assert subprocess.run(words, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode == 0


def test_absurd_options(tmp_path):
    look(tmp_path, 1, 10**9, MINUTES)


if __name__ == "__main__":
    clean.clean = lambda everything: ((), 0)
    campaign("absurd options", cases(int(sys.argv[1])), int(sys.argv[2]), float(sys.argv[3]))
