"""Real Ray nodes on this machine to test with, and the processes they are made of."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from apprenti.arena.ray_connection import ENVIRONMENT, node_options, private_folder

MARK = "APPRENTI_TEST_CLUSTER"
"""An environment variable that every process of a cluster inherits."""
SOURCES = str(Path(__file__).parents[1] / "src")


def wait_until(what: Callable[[], Any], seconds: float = 60.0) -> Any:
    """What becomes true in the end."""
    end = monotonic() + seconds
    while not (found := what()):
        assert monotonic() < end, "this has not become true"
        sleep(0.05)
    return found


def marked(mark: str) -> list[str]:
    """The processes that have inherited a mark, without this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(folder.name) != os.getpid() and f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                found.append(f"{folder.name} {(folder / 'cmdline').read_text().replace(chr(0), ' ')[:80]}")
        except OSError:
            continue  # it has ended meanwhile
    return found


def playing(mark: str) -> list[int]:
    """The processes of cores that play at this moment."""
    return [int(one.split()[0]) for one in marked(mark) if "ray::PlayingCore.play" in one]


AGENTS = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
"""Ray's own helpers of a node: idle, and up to a minute late to notice that their head was killed."""


def gone(mark: str) -> bool:
    """Whether all processes with a mark have ended, those of Ray that wait for a dead head by us."""
    left = marked(mark)
    agents = [one for one in left if one.partition(" ")[2].strip() in AGENTS]
    if len(agents) == len(left):
        for one in agents:
            with suppress(ProcessLookupError):
                os.kill(int(one.split()[0]), SIGKILL)
    return not left


class Nodes:
    """A head that plays nothing, and nodes of one core each."""

    def __init__(self, folder: str, number: int) -> None:
        from ray.cluster_utils import Cluster

        self.folder, self.cluster = folder, Cluster()
        self.cluster.add_node(**{**node_options(folder, "head", head=True), "num_cpus": 0})
        self.nodes = {f"node-{index}": self.add(f"node-{index}", wait=False) for index in range(1, number + 1)}
        self.cluster.wait_for_nodes()

    def add(self, name: str, wait: bool = True, **environment: str) -> Any:
        return self.cluster.add_node(wait, **node_options(self.folder, name), env_vars=environment or None)

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    @property
    def mark(self) -> str:
        return os.environ[MARK]

    def kill(self, name: str) -> None:
        """The whole node, with −9."""
        _kill(self.nodes.pop(name))

    def kill_head(self) -> None:
        _kill(self.cluster.head_node)


def _kill(node: Any) -> None:
    for processes in node.all_processes.values():
        for started in processes:
            os.kill(started.process.pid, SIGKILL)
            started.process.wait()


@contextmanager
def real_nodes(number: int) -> Iterator[Nodes]:
    """Nodes on this machine; nothing of them is left."""
    before = {name: os.environ.get(name) for name in (MARK, "PYTHONPATH", *ENVIRONMENT)}
    mark = os.environ[MARK] = uuid4().hex
    os.environ["PYTHONPATH"] = SOURCES
    os.environ.update(ENVIRONMENT)
    with private_folder() as folder:
        nodes = Nodes(folder, number)
        try:
            yield nodes
        finally:
            nodes.cluster.shutdown()
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
    wait_until(lambda: gone(mark))


def apprenti(*words: str, folder: Path, mark: str = "") -> "subprocess.Popen[str]":
    """The program in a process of its own, as a user has it."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, **({MARK: mark} if mark else {})}
    return subprocess.Popen(
        [sys.executable, "-m", "apprenti", *words], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
