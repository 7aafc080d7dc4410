"""Windows and macOS as far as they can be shown here: what only some systems have is taken away first."""

import subprocess
import sys

TAKEN_AWAY = """
import os, select, signal, sys
for module in ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource"):
    sys.modules[module] = None  # to import it is an ImportError, as on Windows
for owner, names in (
    (os, ("getuid", "geteuid", "killpg", "sched_getaffinity", "sysconf", "fpathconf", "fork", "getpgid", "setsid")),
    (signal, ("SIGHUP", "SIGKILL", "SIGQUIT", "SIGALRM", "SIGWINCH")),
    (select, ("poll", "epoll")),
):
    for name in names:
        if hasattr(owner, name):
            delattr(owner, name)
"""

EVERYTHING = """
import importlib, pkgutil
import apprenti
for found in pkgutil.walk_packages(apprenti.__path__, "apprenti."):
    if not any(part in found.name for part in ("__main__", ".web", ".deep")):  # to run, and what needs more packages
        importlib.import_module(found.name)
print("imported")
"""

LOCK = """
from pathlib import Path
from apprenti.store.runs import Run, RunInUse
run = Run(Path(sys.argv[1]) / "one")
with run.locked():
    try:
        with Run(run.folder).locked():
            print("twice")
    except RunInUse as error:
        print("in use" if "in use by another process" in str(error) else error)
with run.locked():
    print("free again")
"""

COMMAND = """
from apprenti.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def elsewhere(script, *words, said="", folder=None):
    """Run a script on a system that has less; its output."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", TAKEN_AWAY + script, *map(str, words)],
        input=said, capture_output=True, text=True, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_can_be_imported():
    assert elsewhere(EVERYTHING) == "imported\n"


def test_a_run_is_locked(tmp_path):
    assert elsewhere(LOCK, tmp_path) == "in use\nfree again\n"


def test_a_person_plays_by_lines():
    shown = elsewhere(COMMAND, "play", "tetris", "--seed", "1", "--max-pieces", "1", said="L L D\n")
    assert "the last piece has been played" in shown


def test_a_run_is_trained_and_stored(tmp_path):
    words = ("train", "tabular", "--game", "tictactoe", "--iterations", "1", "--episodes", "5", "--name", "there")
    elsewhere(COMMAND, *words, folder=tmp_path)
    assert (tmp_path / "runs" / "there" / "checkpoint.json").exists()
