"""Files of pupils that do their worst: each loses its own games and nothing else. `make soak PART=pupils`."""

import random
from contextlib import suppress
from pathlib import Path

import apprenti
from apprenti.core.protocols import CommonReason
from apprenti.lab.guarded import Limits, find_guarded
from tests.soak.campaign import campaign

ANSWERS = (
    b'{"place": 0}\n', b'{"place": 0, "rng": "x"}\n', b'{"place": 0, "rng": -1}\n[]\n', b"[" * 4000 + b"\n",
    b'{"place": 0, "rng": 1}\n' * 9999, b"\xff\n" + b"9" * 10**6, b'{"error": 3}\n', b'{"place": 1e400, "rng": null}\n',
    b"\n" * 10**6,
)  # fmt: skip
"""What is written where our own answers are, whichever that is."""
WRITE = "for fd in range(99):\n        try: os.write(fd, ANSWERS[{}])\n        except OSError: pass"
ACTS = (
    "raise SystemExit(0)", "os._exit(0)", "os.abort()", "os.kill(os.getpid(), 9)", "while True: pass", "time.sleep(99)",
    "raise KeyboardInterrupt", "raise BaseException('x' * 10**6)", "return None", "return 10**400", "return [legal]",
    "return type('X', (), {'__eq__': lambda a, b: True})()", "return type('X', (), {'__eq__': lambda a, b: 1 / 0})()",
    "x = [0]\n    while True: x = x + x", "def f(): f()\n    f()", "legal.clear()", "os.chdir('/')\n    return 99",
    "sys.setrecursionlimit(10**8)\n    return choose(0, 0, 0)", "os.closerange(0, 99)\n    return legal[0]",
    "print('x' * 10**6)\n    return 99", "sys.stderr.write('y' * 10**6)\n    return 99", "sys.exit('\\ud800')",
    "if os.fork() == 0: time.sleep(99)\n    return 99", "sys.stdin.close()\n    return legal[0]",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    time.sleep(99)", "del sys.modules['json']\n    return 99",
    "threading.Thread(target=time.sleep, args=(99,)).start()\n    return 99", "raise ValueError('\\ud800\\n\\x1b[2J')",
    "rng.state = 'x'\n    return legal[0]", "rng.state = 2**80\n    return legal[0]",
    "import apprenti\n    apprenti.game('chess')", *(WRITE.format(number) for number in range(len(ANSWERS))),
)  # fmt: skip
HEAD = f"import os, sys, signal, threading, time, json\nANSWERS = {ANSWERS!r}\n"
LATER = ("", "if rng.random() < 0.5: return legal[0]\n    ")
LIMITS = Limits(seconds=0.5, game_seconds=2.0, memory=1024)


def cases(seed, folder):
    """One file that does one thing, at once or later, against a player that makes any move."""
    rng = random.Random(seed)
    (folder / "good.py").write_text("def choose(observation, legal, rng):\n    return rng.choice(legal)\n")
    acts = list(ACTS)
    while True:
        rng.shuffle(acts)
        for act in acts:
            when = rng.choice(LATER)
            (folder / "bad.py").write_text(f"{HEAD}def choose(observation, legal, rng):\n    {when}{act}\n")
            yield wrong_with(folder, f"{when}{act}")


def wrong_with(folder, act):
    """What is wrong with two games, if anything."""
    game = apprenti.game("tictactoe")
    agents = [find_guarded(str(folder / name), game, LIMITS).agent for name in ("bad.py", "good.py")]
    try:
        found = apprenti.match(*agents, game="tictactoe", games=2, workers=1)
    except Exception as error:
        return f"{act!r}: {error!r}"
    finally:
        for agent in agents:
            agent.close()
    lost = [record.outcome.reason for record in found.records].count(CommonReason.FORFEIT)
    if left := running(str(folder / "bad.py")):
        return f"{act!r}: {left} still run"
    return "" if lost == found.counts[2] or not lost else f"{act!r}: {found.counts} with {lost} forfeits"


def running(word):
    """The processes with a word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [path.parent.name] if word.encode() in path.read_bytes() else []
    return found


def test_hostile_pupils(tmp_path):
    campaign("hostile pupils", cases(1, tmp_path))
