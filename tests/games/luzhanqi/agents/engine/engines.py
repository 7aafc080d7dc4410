"""Engines that misbehave."""

import sys
from pathlib import Path
from time import monotonic, sleep

from apprenti.games.luzhanqi.agents.engine.player import Limits
from apprenti.games.luzhanqi.layout import BOOK

ENGINE = f"""
import os, signal, subprocess, sys, time

mode, at = sys.argv[1], sys.argv[2]
if len(sys.argv) > 3:
    with open(sys.argv[3], "a") as file:
        file.write(f"{{os.getpid()}}\\n")
answers = {{"INFO": "NAME polite", "START": "ARRAY {BOOK[0]}"}}
moves = 0


def misbehave():
    if mode == "sleep":
        time.sleep(1000)
    elif mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1000)
    elif mode == "crash":
        os._exit(3)
    elif mode == "mute":
        os.close(1)
        time.sleep(1000)
    elif mode == "endless":
        while True:
            os.write(1, b"x" * 4096)
    elif mode == "flood":
        while True:
            os.write(1, b"hello\\n" * 100)
    elif mode == "bytes":
        os.write(1, bytes(range(128, 256)) + b"\\n")
        time.sleep(1000)
    elif mode == "chatter":
        os.write(2, b"x" * 300_000)  # more than a pipe holds, and no newline
        print({{**answers, "GO": "BESTMOVE G1H1"}}[word], flush=True)
    elif mode == "daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            os.closerange(0, 3)
            with open(sys.argv[3], "a") as file:
                file.write(f"{{os.getpid()}}\\n")
            os.execve(sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(1000)"], {{}})
        while open(sys.argv[3]).read().count("\\n") < 3:
            time.sleep(0.01)
        print({{**answers, "GO": "BESTMOVE Z9"}}[word], flush=True)
    elif mode == "parent":
        child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])
        with open(sys.argv[3], "a") as file:
            file.write(f"{{child.pid}}\\n")
        os._exit(0)
    else:
        print(mode.replace("_", " "), flush=True)


for line in sys.stdin:
    word = line.split()[0]
    if word == at:
        misbehave()
    elif word in answers:
        print(answers[word], flush=True)
    elif word == "GO":
        print("BESTMOVE", ("G1H1", "H1G1")[moves % 2], flush=True)
        moves += 1
"""
"""A tiny engine that does one thing wrong, when it is given a certain order."""
QUICK = Limits(game=20, move=5.0, start=5.0)


def engine_in(folder):
    """Makes the command of an engine that misbehaves so when it is given that order; its process is in `pids`."""
    path = folder / "engine.py"
    path.write_text(ENGINE)

    def command(mode="", at="NEVER"):
        return [sys.executable, "-S", "-E", str(path), mode, at, str(folder / "pids")]

    return command


def is_running(pid):
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def assert_all_ended(folder):
    """Whatever an engine started has ended, or ends soon."""
    pids = folder / "pids"
    for pid in pids.read_text().split() if pids.exists() else ():
        deadline = monotonic() + 5
        while is_running(pid) and monotonic() < deadline:
            sleep(0.01)
        assert not is_running(pid)
