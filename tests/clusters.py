"""Real Ray nodes on this machine to test with, and the processes they are made of."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from time import monotonic, sleep
from typing import Any

from apprenti.arena.ray_connection import ENVIRONMENT, node_options, private_folder

SOURCES = str(Path(__file__).parents[1] / "src")


def wait_until(what: Callable[[], Any], seconds: float = 60.0) -> Any:
    """What becomes true in the end."""
    end = monotonic() + seconds
    while not (found := what()):
        assert monotonic() < end, "this has not become true"
        sleep(0.05)
    return found


def family(*processes: int) -> dict[int, str]:
    """Processes and all that they have started, directly or not, with their command lines."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            children.setdefault(_state(folder)[1], []).append(int(folder.name))
    found = [*processes]
    for process in found:
        found += children.get(process, [])
    return {process: line for process in found if (line := running(process))}


def _state(folder: Path) -> tuple[str, int]:
    """Of a process: one letter, and its parent."""
    state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
    return state, int(parent)


def running(process: int) -> str:
    """Its command line; empty if it has ended."""
    folder = Path(f"/proc/{process}")
    with suppress(OSError):
        if _state(folder)[0] != "Z":
            return (folder / "cmdline").read_text().replace("\0", " ").strip()
    return ""


def cores(processes: dict[int, str]) -> list[int]:
    """Those that are there for a driver."""
    return [process for process, line in processes.items() if line.startswith("ray::PlayingCore")]


def playing(processes: dict[int, str]) -> list[int]:
    """The cores that play at this moment."""
    return [process for process in cores(processes) if processes[process].startswith("ray::PlayingCore.play")]


AGENTS = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
"""Ray's own helpers of a node: idle, and up to a minute late to notice that their head was killed."""


def gone(processes: Iterable[int]) -> bool:
    """Whether all of these have ended, those of Ray that wait for a dead head by us."""
    left = {process: line for process in processes if (line := running(process))}
    if all(line in AGENTS for line in left.values()):
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, SIGKILL)
    return not left


class Nodes:
    """A head that plays nothing, and nodes of one core each."""

    def __init__(self, folder: str) -> None:
        from ray.cluster_utils import Cluster

        self.folder, self.cluster, self.killed = folder, Cluster(), set[int]()
        self.nodes: dict[str, Any] = {}

    def start(self, number: int) -> None:
        self.cluster.add_node(**{**node_options(self.folder, "head", head=True), "num_cpus": 0})
        self.nodes = {f"node-{index}": self.add(f"node-{index}", wait=False) for index in range(1, number + 1)}
        self.cluster.wait_for_nodes()

    def add(self, name: str, wait: bool = True, **environment: str) -> Any:
        return self.cluster.add_node(wait, **node_options(self.folder, name), env_vars=environment or None)

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def processes(self) -> dict[int, str]:
        """All that run for the nodes that are there."""
        nodes = [node for node in (self.cluster.head_node, *self.nodes.values()) if node]
        return family(*[process.pid for node in nodes for process in _started(node)])

    def kill(self, name: str) -> None:
        """What makes the node one, with −9; what it has started has to end by itself."""
        self._kill(self.nodes.pop(name))

    def kill_head(self) -> None:
        self._kill(self.cluster.head_node)

    def _kill(self, node: Any) -> None:
        self.killed |= family(*[process.pid for process in _started(node)]).keys()
        for process in _started(node):
            process.kill()
            process.wait()


def _started(node: Any) -> "list[subprocess.Popen[str]]":
    """The processes that make a node one."""
    return [started.process for processes in node.all_processes.values() for started in processes]


@contextmanager
def real_nodes(number: int) -> Iterator[Nodes]:
    """Nodes on this machine; nothing of them is left."""
    before = {name: os.environ.get(name) for name in ("PYTHONPATH", *ENVIRONMENT)}
    os.environ["PYTHONPATH"] = SOURCES
    os.environ.update(ENVIRONMENT)
    with private_folder() as folder:
        nodes = Nodes(folder)
        try:
            nodes.start(number)
            yield nodes
        finally:
            left = nodes.killed | nodes.processes().keys()
            nodes.cluster.shutdown()
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
    wait_until(lambda: gone(left))


def apprenti(*words: str, folder: Path) -> "subprocess.Popen[str]":
    """The program in a process of its own, as a user has it."""
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    return subprocess.Popen(
        [sys.executable, "-m", "apprenti", *words], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
