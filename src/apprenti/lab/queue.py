"""Work that outlives the page and its server: a job is a use-case of the laboratory, done by a process of its own.

    jobs/ID/job.json      what was asked for, as data, by whom, and the seal of who put it there
            process.json  its process, once it has begun
            out.json      what it came to; err.txt what it said; so-far.json what it knows while it goes on

All that is known of a job is in its folder, so a server that was killed finds its jobs again. Jobs that wait are begun
in their order, a chosen number at once. A job is begun, and its process is stopped, only if its seal is that of this
user at this very place: the jobs of a folder that somebody passed on are shown.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import signal
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import time
from typing import Any

from filelock import FileLock

from apprenti.core.children import command
from apprenti.core.data import (
    Anything,
    Each,
    Fields,
    JsonData,
    JsonMapping,
    JsonObject,
    Newer,
    Number,
    Whole,
    Word,
    check,
)
from apprenti.core.errors import ApprentiError, BadFile, BadOption, UnknownName
from apprenti.core.machine import private_folder
from apprenti.lab.jobs import OUT, SO_FAR, Train, UseCase, from_json, to_json
from apprenti.store.files import check_format, check_unlinked, read_bytes, read_json, write_json

ROOT = Path("jobs")
FORMAT = 2
"""In format 1 a job had the words of a command line: such jobs are shown, not begun."""
MOST_WAITING = 200
"""Jobs that wait at once."""
MAX_ACTIVE = 16
"""Jobs that go on at once, at most."""
LOOKS = 0.3
"""Seconds between two looks whether a job can begin."""
SAID = 20_000
"""Bytes of what a job said that are looked at: the last ones."""
FOREIGN = "it was not put here by you on this machine: it is shown, and not begun."
_WORDS = Each(Word())
_ASKED = Fields(
    {"kind": Word(), "name": Word(), "who": Newer(Word()), "made": Newer(Number(low=0))},
    {"format": Whole(), "words": _WORDS, "command": _WORDS, "use": Word(), "options": Fields({}, {"*": Anything()}),
     "seal": Word(), "method": Word(), "config": Fields({}, {"*": Anything()})},
)  # fmt: skip
_PROCESS = Fields({"pid": Whole(1, 2**31), "started": Word(), "seal": Word()})


@dataclass(frozen=True)
class Job:
    """One job, by its folder."""

    folder: Path

    @property
    def key(self) -> str:
        """Its id."""
        return self.folder.name

    def asked(self) -> JsonData:
        """What was asked for: `kind`, `name`, `command` (which does the same), `who`, `made` (when)."""
        path = self.folder / "job.json"
        data = read_json(path, "a job")
        check_format(path, data, "a job", 1, FORMAT)
        check(_ASKED, data, str(path))
        words = data.pop("words", [])
        if words:
            ends = (words.index(word) for word in ("--every-game", "--json", "--page") if word in words)
            data["command"] = ["apprenti", *words[: min(ends, default=None)]]
        return {"who": "", "made": 0.0, "command": [], **data}

    @property
    def place(self) -> str:
        """The folder on this machine."""
        return str(self.folder.resolve())

    def check_place(self) -> None:
        """Refuse a folder behind a link, its own or that of the folder of jobs: there it is another folder's job."""
        check_unlinked(check_unlinked(self.folder).parent)

    def is_own(self) -> bool:
        """Whether this user put it there, with just this content."""
        with contextlib.suppress(ApprentiError):
            self.check_place()
            return _is_own(self.place, read_json(self.folder / "job.json", "a job"))
        return False

    def begin(self) -> subprocess.Popen[bytes]:
        """Start its process, in a session of its own: it goes on when the server ends."""
        if not self.is_own():
            raise BadFile(FOREIGN)
        from_json(self.asked(), f"job {self.key}")
        words = command("apprenti.lab.jobs", str(self.folder))
        with (self.folder / "err.txt").open("wb") as err:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, start_new_session=True
            )
        self.says_process(process.pid)
        return process

    def says_process(self, pid: int) -> None:
        """Write down whose work it is from now on."""
        self.check_place()
        write_json(self.folder / "process.json", _sealed(self.place, {"pid": pid, "started": started(pid) or ""}))

    def stop(self) -> None:
        """As Ctrl-C does: a run keeps its last step, a measurement what it knows. One that waits never begins."""
        if not self.is_own():
            raise BadOption(FOREIGN)
        write_json(self.folder / "stopped.json", {"at": time()})
        number = self.process()
        if number:
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGINT)

    def process(self) -> int | None:
        """The number of its process, while that goes on."""
        try:
            self.check_place()
            process = read_json(self.folder / "process.json", "a process")
            check(_PROCESS, process, "a process")
        except ApprentiError:
            return None
        pid: int = process["pid"]
        return pid if _is_own(self.place, process) and started(pid) == process["started"] else None

    def state(self) -> str:
        if self.process():
            return "running"
        stopped = (self.folder / "stopped.json").exists()
        if not (self.folder / "process.json").exists():
            return "stopped" if stopped else "waiting" if self.is_own() else "failed"
        result = self.result()
        if result is None:
            return "stopped" if stopped else "failed"
        return "stopped" if result.get("interrupted") else "done"

    def ended(self) -> float:
        """When it said its last word."""
        with contextlib.suppress(OSError):
            return (self.folder / "err.txt").stat().st_mtime
        return 0.0

    def result(self) -> JsonData | None:
        """What it printed, if it came to an end."""
        with contextlib.suppress(ApprentiError):
            return read_json(self.folder / OUT, "a result")
        return None

    def so_far(self) -> JsonData:
        """What it knows while it goes on."""
        with contextlib.suppress(ApprentiError):
            return read_json(self.folder / SO_FAR, "what is known so far")
        return {}

    def sentence(self) -> str:
        """The last thing it said: why it failed, or what it does."""
        lines = self._last_lines()
        return lines[-1].removeprefix("apprenti: ")[:500] if lines else ""

    def _last_lines(self) -> list[str]:
        with contextlib.suppress(ApprentiError):
            lines = read_bytes(self.folder / "err.txt")[-SAID:].decode(errors="replace").split("\n")
            return [line.strip() for line in lines if line.strip()]
        return []

    def _says_why(self) -> bool:
        """Whether the last thing it said is a reason, and not what it did."""
        lines = self._last_lines()
        return bool(lines) and (lines[-1].startswith("apprenti: ") or any(one.startswith("Traceback") for one in lines))

    def view(self) -> JsonData:
        """All that a list shows of it."""
        state = self.state()
        asked = {name: value for name, value in self.asked().items() if name in SHOWN}
        sentence = self.sentence() if state in ("running", "failed") else ""
        if state == "failed" and not self._says_why():
            sentence = "it was ended from outside: nothing that it had stored is lost." if self.is_own() else FOREIGN
        return {"id": self.key, "state": state, "sentence": sentence, **asked}


SHOWN = ("kind", "name", "command", "who", "made", "method", "config")
"""What a list shows of what was asked."""


def _sealed(place: str, data: JsonMapping) -> JsonData:
    return {**data, "seal": seal_of(place, data)}


def _is_own(place: str, data: JsonMapping) -> bool:
    rest = {name: value for name, value in data.items() if name != "seal"}
    return is_sealed(place, rest, data.get("seal"))


def started(pid: int) -> str | None:
    """When a process began, so that another one of the same number is not taken for it; None if it has ended."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if words[0] in "ZX" else words[19]
    except (OSError, IndexError):
        if Path("/proc/self").exists():
            return None
    listing = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listing.stdout.strip() or None


@dataclass
class Jobs:
    """All jobs of a folder, and the queue."""

    root: Path = ROOT
    limit: int = MAX_ACTIVE
    """What may be chosen at most."""
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _asked: dict[str, JsonData] = field(default_factory=dict)
    """What was asked for is never changed, so it is read once."""
    _ended: set[str] = field(default_factory=set)
    """Jobs that go on no more: they are not looked at again."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _closed: threading.Event = field(default_factory=threading.Event)

    def open(self) -> None:
        """Look after the queue from now on."""
        threading.Thread(target=self._look, name="queue", daemon=True).start()

    def close(self) -> None:
        """Begin nothing more; what goes on goes on."""
        self._closed.set()

    def _look(self) -> None:
        while not self._closed.wait(LOOKS):
            with contextlib.suppress(ApprentiError, OSError):  # a full disk: it is tried again
                self.tick()

    @property
    def at_once(self) -> int:
        """How many jobs go on at once."""
        with contextlib.suppress(ApprentiError):
            data = read_json(self.root / "queue.json", "the queue")
            check(Fields({"at_once": Whole(1)}), data, "the queue")
            return min(self.limit, int(data["at_once"]))
        return 1

    def choose(self, number: Any) -> None:
        if type(number) is not int or not 1 <= number <= self.limit:
            raise BadOption(f"1 to {self.limit} jobs go on at once, not {number!r:.20}.")
        check_unlinked(self.root)
        write_json(self.root / "queue.json", {"at_once": number})
        self.tick()

    def add(self, use: UseCase, who: str = "", **more: Any) -> Job:
        """A new job at the end of the queue."""
        with self._lock:
            if sum(job.state() == "waiting" for job in self.open_jobs()) >= MOST_WAITING:
                raise BadOption(f"{MOST_WAITING} jobs wait, which is all there may be: stop some of them.")
            job = self._new()
            about = {"kind": use.kind, "name": use.name, "command": use.command(), **more}
            if isinstance(use, Train):
                about |= {"method": use.method, "config": use.config}
            self._write(job, {**about, **to_json(use)}, who)
            self.tick()
        return job

    def own(self, kind: str, name: str, words: Sequence[str]) -> Job:
        """A job that this process does itself, at a terminal: the page shows it, and its stop is Ctrl-C here."""
        job = self._new()
        job.says_process(os.getpid())  # first: the queue is not to begin it
        command = ["apprenti", *(word for word in words if word != "--page")]
        self._write(job, {"kind": kind, "name": name, "command": command}, "")
        return job

    def _new(self) -> Job:
        return Job(self.root / f"{int(time() * 1000):013}-{secrets.token_hex(4)}")

    def _write(self, job: Job, about: JsonData, who: str) -> None:
        job.check_place()
        asked = {"format": FORMAT, "who": who, "made": time(), **about}
        write_json(job.folder / "job.json", _sealed(job.place, json.loads(json.dumps(asked))))

    def tick(self) -> None:
        """Begin what can begin; another server of the same folder does not at the same time."""
        if not check_unlinked(self.root).exists():
            return
        with self._lock, FileLock(self.root / ".lock"):
            self.children = [child for child in self.children if child.poll() is None]
            states = [(job, job.state()) for job in self.open_jobs()]
            self._ended |= {job.key for job, state in states if state not in ("waiting", "running")}
            free = self.at_once - sum(state == "running" for _, state in states)
            for job, state in states:
                if state == "waiting" and free > 0:
                    free -= self._begin(job)

    def _begin(self, job: Job) -> bool:
        """Whether a job could begin; one that cannot says why, and has ended."""
        try:
            self.children.append(job.begin())
            return True
        except (ApprentiError, OSError) as error:
            with contextlib.suppress(OSError, BadFile):  # a full disk takes no reason either: it is tried again
                (job.folder / "err.txt").write_text(f"apprenti: it could not begin: {error}\n", encoding="utf-8")
                write_json(job.folder / "process.json", {"pid": 0, "started": ""})
            return False

    def open_jobs(self) -> list[Job]:
        """Those that wait or go on, the oldest first, and some that have ended since the last look."""
        return [job for job in self.all() if job.key not in self._ended]

    def all(self) -> list[Job]:
        """Every job, the oldest first."""
        return [Job(path.parent) for path in sorted(self.root.glob("*/job.json"))]

    def get(self, key: str) -> Job:
        """A job by its id, which is looked up and never made into a path."""
        for job in self.all():
            if job.key == key:
                return job
        raise UnknownName("job", key[:40], ["none of that id"])

    def of(self, kind: str, name: str) -> Job | None:
        """The newest job of a kind about something."""
        for job in reversed(self.all()):
            asked = self.asked(job)
            if (asked.get("kind"), asked.get("name")) == (kind, name):
                return job
        return None

    def latest(self, kind: str) -> dict[str, Job]:
        """The newest job of a kind for each thing it is about."""
        jobs = ((job, self.asked(job)) for job in self.all())
        return {str(asked.get("name")): job for job, asked in jobs if asked.get("kind") == kind}

    def asked(self, job: Job) -> JsonData:
        """What was asked for; nothing if it cannot be read."""
        if job.key not in self._asked:
            with contextlib.suppress(ApprentiError):
                self._asked[job.key] = job.asked()
        return self._asked.get(job.key, {})

    def active(self) -> list[JsonData]:
        """What waits and goes on."""
        views = []
        for job in self.open_jobs():
            with contextlib.suppress(ApprentiError):
                view = job.view()
                if view["state"] in ("waiting", "running"):
                    views.append(view)
        return views


LENGTH = 32


@cache
def secret() -> bytes:
    """The secret, in a folder that only this user can read; for this process alone where there is no such folder."""
    try:
        path = private_folder("XDG_STATE_HOME", "~/.local/state") / "secret"
        with contextlib.suppress(FileExistsError):
            made = path.with_name(f".secret-{os.getpid()}")
            made.touch(mode=0o600)
            made.write_bytes(secrets.token_bytes(LENGTH))
            try:
                os.link(made, path)  # whole or not at all, and the first one stays
            finally:
                made.unlink()
        known = path.read_bytes()
    except (OSError, BadFile):
        known = b""
    return known if len(known) == LENGTH else secrets.token_bytes(LENGTH)


def seal_of(place: str, data: JsonObject) -> str:
    """What only this user can write beside this data at this place."""
    text = json.dumps([place, data], sort_keys=True, ensure_ascii=True)
    return hmac.new(secret(), text.encode(), hashlib.sha256).hexdigest()


def is_sealed(place: str, data: JsonObject, seal: object) -> bool:
    """Whether the seal is that of this data at this place."""
    return isinstance(seal, str) and hmac.compare_digest(seal.encode(), seal_of(place, data).encode())
