"""The cores of a Ray cluster as an executor: what is handed out, to whom, and what happens when a node is lost.

One thread of the driver hands out chunks, one to a core, and hears of results. A chunk that was on a lost node is
played again; one that takes long is also given to an idle core, and the first result counts: both have the same games.
"""

import pickle
import socket
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any

from apprenti.arena.executors import by_value
from apprenti.arena.ray_core import in_parts
from apprenti.core.data import AnyFunction, JsonData
from apprenti.core.errors import ApprentiError
from apprenti.core.protocols import StopFlag

LOOK_EVERY = 0.5
"""Seconds between two looks at who is there."""
PATIENCE = 20.0
"""Seconds to wait for a core, at the beginning and when all are lost."""
SILENT, REFUSED = 3.0, 0.5
"""Seconds after which the head is lost: without an answer, or when its machine says that nothing is there. Ray itself
ends this process, without a word, some seconds after a head on the same machine."""
LATE = 2.0
"""A chunk is also given to another core after this many seconds, and this many times the usual time."""
SOON = 3.0
"""Seconds after which a core that has not begun is taken to be in use by others."""
ATTEMPTS = 4
"""Cores that may be lost over one chunk."""
LARGE = 10**6
"""Bytes of a task that nodes had better pass on to each other. All else goes in parts, without Ray's store: when the
node that keeps it is killed, Ray ends the process that uses it next, without a word."""


Check = Callable[[], dict[str, str]]
"""Says something that is the same on all nodes that may play."""


class ClusterLost(ApprentiError):
    """A cluster that cannot go on."""


class Refused(ApprentiError):
    """A node that would not give the same results."""


@dataclass(eq=False)
class Job:
    """A chunk that is to be played."""

    number: int
    key: str
    task: list[Any]
    """The pickled task, in parts; a large one is in Ray's store."""
    arguments: tuple[Any, ...]
    future: Future[Any] = field(default_factory=Future)
    cores: list["Core"] = field(default_factory=list)
    """Who plays it."""
    begun: float = 0.0
    lost: int = 0
    """Cores that were lost over it."""
    wanted: bool = True


@dataclass(eq=False)
class Core:
    """A core of a node."""

    actor: Any
    node: str
    """Its node's identity."""
    asked: float = field(default_factory=monotonic)
    """When it was asked for."""
    begun: bool = False
    """Whether it was free and has begun to work for us."""
    ready: bool = False
    """Whether its node was found to give the same results."""
    key: str = ""
    """The task it has."""
    job: Job | None = None
    received: bytes = b""
    """What has come of its result."""

    @property
    def counts(self) -> bool:
        """Whether it is ours, or may soon be."""
        return self.begun or monotonic() - self.asked < SOON


@dataclass(eq=False)
class Node:
    """A node of the cluster."""

    name: str
    cores: list[Core] = field(default_factory=list)
    checked: bool = False
    """Whether it gives the same results as this process."""
    refused: str = ""


class RayCluster(Executor):
    """The cores of the cluster that this process is connected to; nodes that come later are used, too."""

    def __init__(self, checks: Sequence[Check], address: str, most: int, say: Callable[[str], None]) -> None:
        """`checks` say what results depend on, the quick ones first; `most` is the cores to use, 0 for all."""
        self.address, self.most, self.say = address, most, say
        self._checks = [(check(), by_value(check)) for check in checks]
        self.nodes: dict[str, Node] = {}
        self.played: dict[str, int] = {}
        """Chunks by the name of the node that played them."""
        self.copies = 0
        """Chunks that were given to a second core because they were late."""
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._pending: deque[Job] = deque()
        self._idle: list[Core] = []
        self._jobs: set[Job] = set()
        self._task: tuple[Any, str, list[Any]] = (None, "", [])
        self._numbers = self._seconds = 0.0
        self._count = 0
        self._ended, self._some = Event(), Event()
        self._failed: Exception | None = None
        self._heard = self._useful = monotonic()
        self._thread = Thread(target=self._run, name="cluster", daemon=True)
        self._thread.start()

    # For the caller who wants games played ----------------------------------------------------------------------------

    @property
    def cores(self) -> int:
        """Cores that are ready."""
        return sum(core.ready for node in [*self.nodes.values()] for core in [*node.cores])

    @property
    def workers(self) -> int:
        """Cores that are ready; at least 1, for those who share work out among them."""
        return max(1, self.cores)

    @property
    def ahead(self) -> int:
        """Chunks to hand out before the first one is done: many, for one of them may take long."""
        return 16 * self.workers

    def wait_for_cores(self) -> None:
        """Wait until a node can play; refuse a cluster where none can."""
        began = monotonic()
        while not self._some.wait(0.1) and (monotonic() - began < PATIENCE or self._checking):
            pass
        if not self.cores:
            refused = [node.refused for node in self.nodes.values() if node.refused]
            raise self._failed or ClusterLost(" ".join(refused) or self._no_node())

    @property
    def _checking(self) -> bool:
        """Whether a node is on its way: where nothing is compiled yet, that takes a while."""
        return any(core.begun and not core.ready for node in [*self.nodes.values()] for core in [*node.cores])

    def submit(self, task: AnyFunction, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Hand out a chunk. The task is sent once to each core that plays it."""
        import ray

        assert not named
        if self._failed:
            raise self._failed
        if self._task[0] is not task:
            pickled = by_value(task)
            sent = [ray.put(pickled)] if len(pickled) > LARGE else in_parts(pickled)
            self._task = task, blake2b(pickled, digest_size=8).hexdigest(), sent
        self._count += 1
        job = Job(self._count, *self._task[1:], arguments)
        self._events.put(partial(self._take, job))
        return job.future

    def cut(self, stop: StopFlag | None) -> bool:
        """End the games under way at their next move; their results come as far as they are."""
        self._events.put(self._cut)
        return stop is not None

    def close(self) -> None:
        """What was handed out is not waited for any more."""
        self._events.put(self._cut)

    def end(self) -> None:
        """Let go of the cores."""
        self._ended.set()
        self._thread.join(2 * SILENT)
        if self._failed is None:
            import ray

            for node in self.nodes.values():
                for core in node.cores:
                    with suppress(Exception):
                        ray.kill(core.actor)

    # In the thread that hands out ------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._hear()
        except Exception as error:  # a bug of ours: the caller gets it, and does not wait for ever
            self._fail(error)

    def _hear(self) -> None:
        looked = 0.0
        while not self._ended.is_set():
            if monotonic() - looked > LOOK_EVERY:
                self._look()
                looked = monotonic()
            with suppress(Empty):
                self._events.get(timeout=LOOK_EVERY)()
                self._hand_out()

    def _take(self, job: Job) -> None:
        if self._failed:
            job.future.set_exception(self._failed)
            return
        self._jobs.add(job)
        self._pending.append(job)

    def _hand_out(self) -> None:
        while self._idle and self._pending:
            job = self._pending.popleft()
            if not job.future.done() and (job.begun or job.future.set_running_or_notify_cancel()):
                self._send(self._idle.pop(), job)
            else:
                self._jobs.discard(job)

    def _send(self, core: Core, job: Job) -> None:
        core.job, core.received, job.begun = job, b"", job.begun or monotonic()
        job.cores.append(core)
        task = [] if core.key == job.key else job.task
        core.key = job.key
        arguments = in_parts(by_value(job.arguments))
        answer = core.actor.play.remote(job.number, job.key, len(arguments), *arguments, *task)
        self._when_done(answer, partial(self.receive, core, job))

    def _when_done(self, answer: Any, then: Callable[[Future[Any]], None]) -> None:
        """The answer is held on to until then: Ray's client forgets results that are not held."""
        answer.future().add_done_callback(lambda done, _held=answer: self._events.put(partial(then, done)))

    def receive(self, core: Core, job: Job, answer: Future[Any]) -> None:
        """Ask for the rest of a result, until it is there."""
        if not answer.exception():
            length, part = answer.result()
            core.received += part
            if len(core.received) < length:
                self._when_done(core.actor.part.remote(len(core.received)), partial(self.receive, core, job))
                return
        self._done(core, job, answer)

    def _done(self, core: Core, job: Job, answer: Future[Any]) -> None:
        from ray.exceptions import RayError, RayTaskError

        known = core in job.cores  # or its node was found to be lost before this was
        if known:
            job.cores.remove(core)
        error = answer.exception()
        if isinstance(error, RayError) and not isinstance(error, RayTaskError):
            if known:
                self._lose(core, job)
            return
        core.job = None
        if core.ready:
            self._idle.append(core)
        if error is None:
            self._count_for(core, job)
        self._conclude(job, error, None if error else pickle.loads(core.received))

    def _count_for(self, core: Core, job: Job) -> None:
        if node := self.nodes.get(core.node):  # its last result may come after it was found to be lost
            self.played[node.name] = self.played.get(node.name, 0) + 1
        self._numbers += 1
        self._seconds += monotonic() - job.begun

    def _conclude(self, job: Job, error: BaseException | None, result: Any) -> None:
        """The first result of a job counts; other cores that play it may stop."""
        self._jobs.discard(job)
        if not job.future.done():
            error = result if isinstance(result, ApprentiError) else error
            job.future.set_exception(error) if error else job.future.set_result(result)
        for other in job.cores:
            other.actor.stop.remote(job.number)

    def _lose(self, core: Core, job: Job | None) -> None:
        """A core is gone; its chunk is for somebody else."""
        node = self.nodes.get(core.node)
        if node and core in node.cores:
            node.cores.remove(core)
        if core in self._idle:
            self._idle.remove(core)
        core.ready, core.job = False, None
        if job is None or job not in self._jobs or job.cores:
            return
        job.lost += 1
        if not job.wanted:
            self._conclude(job, None, ())
        elif job.lost >= ATTEMPTS:
            self._conclude(job, ClusterLost(f"{job.lost} cores were lost over the same games: see Ray's logs."), None)
        else:
            self._pending.appendleft(job)

    def _cut(self) -> None:
        self._pending.clear()
        for job in [*self._jobs]:
            job.wanted = False
            for core in job.cores:
                core.actor.stop.remote(job.number)
            if not job.cores:
                self._jobs.discard(job)
                if job.begun and not job.future.done():
                    job.future.set_result(())

    # Who is there -----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        import ray

        if self._failed or not self._head_answers():
            return
        there = {node["NodeID"]: node for node in ray.nodes() if node["Alive"]}
        for identity in [*self.nodes]:
            if identity not in there:
                self._forget(identity)
        for identity, about in there.items():
            self._use(identity, about)
        if self.cores:
            self._useful = monotonic()
        elif self._jobs and not self._checking and monotonic() - self._useful > PATIENCE:
            self._fail(ClusterLost(self._no_node()))
        self._copy_late_jobs()
        self._hand_out()

    def _no_node(self) -> str:
        cores = sum(len(node.cores) for node in self.nodes.values())
        what = f"all {cores} of them are in use" if cores else "no node has one"
        return f"no core of the cluster is free, {what}: wait for the others, or add a node (docs/cluster.md)."

    def _head_answers(self) -> bool:
        """Whether the head can be reached; after a while without an answer everything is given up."""
        host, _, port = self.address.rpartition(":")
        try:
            if host:
                socket.create_connection((host, int(port)), 1.0).close()
            self._heard = monotonic()
        except OSError as error:
            if monotonic() - self._heard > (REFUSED if isinstance(error, ConnectionRefusedError) else SILENT):
                self._fail(
                    ClusterLost(
                        f"the head of the cluster at {self.address} does not answer any more: start it again; then "
                        "`apprenti resume RUN` goes on with a run, and anything else is begun anew."
                    )
                )
            return False
        return True

    def _fail(self, error: Exception) -> None:
        self._failed = error
        for job in [*self._jobs]:
            self._conclude_without_cluster(job, error)
        self._some.set()

    def _conclude_without_cluster(self, job: Job, error: Exception) -> None:
        job.cores.clear()
        if job.begun or job.future.set_running_or_notify_cancel():
            self._conclude(job, error, None)
        self._jobs.discard(job)

    def _use(self, identity: str, about: JsonData) -> None:
        """Take the cores of a node that are not taken, when it has been checked."""
        node = self.nodes.get(identity)
        if node is None:
            node = self.nodes[identity] = Node(_name(about, self.nodes))
        if node.refused:
            return
        wanted = int(about["Resources"].get("CPU", 0))
        free = (self.most or 10**6) - sum(core.counts for each in self.nodes.values() for core in each.cores)
        for _ in range(min(free, (wanted if node.checked else min(1, wanted)) - len(node.cores))):
            self._start(identity, node)

    def _start(self, identity: str, node: Node) -> None:
        core = Core(_actor_on(identity), identity)
        node.cores.append(core)
        self._ask(core, 0, node.checked)

    def _ask(self, core: Core, number: int, checked: bool = False) -> None:
        asked = core.actor.about.remote(None if checked else self._checks[number][1])
        self._when_done(asked, partial(self._check, core, number))

    def _check(self, core: Core, number: int, answer: Future[Any]) -> None:
        """Let a core play if its node gives the same results as this process; refuse the node otherwise."""
        node = self.nodes.get(core.node)
        if node is None or core not in node.cores:
            return
        if answer.exception() or not (core.begun or self._needed):
            self._let_go(node, core)
            return
        core.begun = True
        if not node.checked and (difference := _difference(self._checks[number][0], answer.result())):
            self._refuse(node, difference)
        elif not node.checked and number + 1 < len(self._checks):
            self._ask(core, number + 1)
        else:
            core.ready = node.checked = True
            self._idle.append(core)
            self._some.set()

    @property
    def _needed(self) -> bool:
        """Whether there are fewer cores than are wanted."""
        return not self.most or sum(core.begun for node in self.nodes.values() for core in node.cores) < self.most

    def _let_go(self, node: Node, core: Core) -> None:
        """A core that has been lost, or came when others had been found."""
        import ray

        ray.kill(core.actor)
        node.cores.remove(core)

    def _refuse(self, node: Node, difference: str) -> None:
        import ray

        node.refused = f"node {node.name} is refused: {difference}."
        self.say(node.refused)
        for core in node.cores:
            ray.kill(core.actor)
        node.cores.clear()
        if all(each.refused for each in self.nodes.values()):
            self._some.set()

    def _forget(self, identity: str) -> None:
        """A node that was there is gone."""
        node = self.nodes.pop(identity)
        if node.checked:
            self.say(f"node {node.name} was lost: what it was playing is played by others.")
        for core in [*node.cores]:
            job = core.job
            if job and core in job.cores:
                job.cores.remove(core)
            self._lose(core, job)

    def _copy_late_jobs(self) -> None:
        """Give chunks that take long to idle cores, too: their node may be slow, or lost without our knowing yet."""
        usual = self._seconds / self._numbers if self._numbers else 0.0
        late = [job for job in self._jobs if len(job.cores) == 1 and monotonic() - job.begun > LATE + LATE * usual]
        for job in sorted(late, key=lambda job: job.number):
            if self._idle and not self._pending and job.wanted:
                self.copies += 1
                self._send(self._idle.pop(), job)


def _name(about: JsonData, others: dict[str, Node]) -> str:
    """The name of a node, and some of its identity if another is called the same."""
    name = str(about.get("NodeName") or about["NodeManagerAddress"])
    return f"{name}-{about['NodeID'][:6]}" if name in {node.name for node in others.values()} else name


def _difference(here: dict[str, str], there: dict[str, str] | str) -> str:
    """In what a node differs from this process; empty if in nothing."""
    if isinstance(there, str):
        return f"it has no apprenti like the one here ({there})"
    differ = [what for what in here if there.get(what) != here[what]]
    return f"its {differ[0]} is {there.get(differ[0])}, and here it is {here[differ[0]]}" if differ else ""


def _actor_on(identity: str) -> Any:
    """A core of a node; one thread plays, another hears."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    from apprenti.arena import ray_core

    ray.cloudpickle.register_pickle_by_value(ray_core)
    there = NodeAffinitySchedulingStrategy(identity, soft=False)
    options = {"num_cpus": 1, "max_concurrency": 2, "max_restarts": 0, "scheduling_strategy": there}
    return ray.remote(**options)(ray_core.PlayingCore).remote()
