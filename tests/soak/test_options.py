"""Every option of every command with absurd values: one sentence, or work begins. `make soak PART=options`."""

import contextlib
import itertools
import os
import random
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from time import monotonic, sleep

from apprenti.cli import machine
from apprenti.cli.machine import options_of
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
"""Seconds after which the work has begun: the words were accepted, and it is ended."""


def said_by(words, folder):
    """The exit code of a command line in a process of its own, and what it complained of; -1 when it began to work."""
    complaints = folder / "complaints"
    if not (child := os.fork()):
        _become(words, complaints)
    end = monotonic() + PATIENCE
    while not (ended := os.waitpid(child, os.WNOHANG))[0] and monotonic() < end:
        sleep(0.002)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # all that it has started
    code = os.waitstatus_to_exitcode(ended[1]) if ended[0] else -1
    if not ended[0]:
        os.waitpid(child, 0)
    return code, complaints.read_text(errors="replace")


def _become(words, complaints):
    """Go on as the command line, and end with its code."""
    code = 1
    try:
        os.setsid()
        for stream, path, how in ((0, os.devnull, "r"), (1, os.devnull, "w"), (2, complaints, "w")):
            with Path(path).open(how) as file:
                os.dup2(file.fileno(), stream)
        code = main(words)
    except SystemExit as stop:
        code = stop.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code if isinstance(code, int) else 1)


def commands():
    """Every command and every method, with what it needs."""
    for name in COMMANDS:
        if name == "train":
            yield from (["train", method, "--iterations", "1"] for method in METHODS)
        else:
            yield [name, *USUAL.get(name, [])]


def wrong_with(words, folder):
    """What is wrong with the answer to these words, if anything."""
    code, err = said_by(words, folder)
    told = [line for line in err.splitlines() if line.startswith("apprenti: ")]
    if code not in (-1, 0, 1, 2, 130) or "Traceback" in err:
        return f"{words}: {code}, {err[-300:]}"
    return f"{words}: {err[-300:]}" if code == 2 and len(told) != 1 else ""


def cases(seed, folder):
    """One absurd value for one option, command by command; now and then two."""
    rng = random.Random(seed)
    for method in METHODS:
        learner_class(method)  # once, and not again in every process
    known = [
        (words, [each for each in options_of(*words[: 2 if words[0] == "train" else 1]) if each != "--help"])
        for words in commands()
    ]
    assert sum(len(options) for _, options in known) > 300
    for words, options in itertools.cycle(known):
        chosen = rng.sample(options, min(len(options), rng.choice((1, 1, 2))))
        more = [word for option in chosen for word in (option, rng.choice(ABSURD))] or [rng.choice(ABSURD)]
        said = [*words, *more] if rng.random() < 0.9 else [words[0], rng.choice(ABSURD), *more]
        yield wrong_with(said, folder)


def look(folder, seed, most, minutes):
    """The campaign in a program of its own, which has no threads and can be doubled."""
    words = [sys.executable, "-m", "tests.soak.test_options", str(seed), str(most), str(minutes)]
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "src")))
    (folder / "work").mkdir()
    done = subprocess.run(words, cwd=folder / "work", env={**os.environ, "PYTHONPATH": paths}, check=False)
    assert done.returncode == 0


def test_absurd_options(tmp_path):
    look(tmp_path, 1, 10**9, MINUTES)


if __name__ == "__main__":
    machine.clean = lambda everything: ((), 0)
    campaign("absurd options", cases(int(sys.argv[1]), Path.cwd().parent), int(sys.argv[2]), float(sys.argv[3]))
