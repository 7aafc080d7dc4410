"""A small program between us and an engine, on Linux: what the engine starts can leave its group, not its keeper.

The system gives orphans to the nearest ancestor that has asked for them (`PR_SET_CHILD_SUBREAPER`): this one. So all
that an engine has ever started is below its keeper, and is ended when the engine has ended or when the keeper is told
to, by the end of a pipe: also when that at the other end was killed. It is run as a file and imports nothing else
of this project.
"""

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path

SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER` of prctl(2)."""


def descendants(root: int) -> list[int]:
    """All processes below one."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):  # it has just ended
            continue
        children.setdefault(parent, []).append(int(folder.name))
    below = list(children.get(root, ()))
    for pid in below:  # grows as it goes
        below += children.get(pid, ())
    return below


def reap() -> list[int]:
    """The children that have ended since the last call."""
    ended: list[int] = []
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if not pid:
            return ended
        ended.append(pid)


def end_all() -> None:
    """End everything below this process; who starts others meanwhile is ended in the next round."""
    while pids := descendants(os.getpid()):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        reap()


def keep(command: list[str], orders: int, answers: int) -> None:
    """Start an engine, and say so or why not; return when it has ended, or at the end of the orders."""
    for end in (orders, answers):
        os.set_inheritable(end, False)  # or the engine would hold them open
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # meant for the engine; we stay to tidy up
    ended, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken)
    try:
        engine = os.posix_spawnp(command[0], command, os.environ, setsigdef=[signal.SIGTERM])
        os.write(answers, b"started")
    except OSError as error:
        os.write(answers, str(error.strerror).encode())
        return
    finally:
        os.close(answers)
    for stream in (0, 1, 2):  # the engine's alone, so that the end of its output is seen
        os.close(stream)
    while engine not in reap():
        ready, _, _ = select.select([orders, ended], [], [])
        if orders in ready:
            return
        os.read(ended, 4096)


if __name__ == "__main__":
    try:
        keep(sys.argv[3:], int(sys.argv[1]), int(sys.argv[2]))
    finally:
        end_all()
