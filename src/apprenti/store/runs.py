"""Run folders: what a learner needs to go on after anything, and what a person wants to see of it.

    runs/NAME/run.json         method, options, versions
              metrics.jsonl    one line a generation
              checkpoint.json  everything the next generation depends on, and checkpoint-before.json the one before
              arrays-*.safetensors  what is large in a checkpoint, named by its digest
              agent.json       the agent so far, and agent-*.safetensors what is large in it
              player-NAME.json each of several players so far
              past/N.json      the agent after generation N, for some N
              curve.png        the curve so far

A checkpoint carries a digest: a half-written or altered one is noticed, and the one before it is used. A lock that the
system takes back when the process ends, however it ends, keeps two processes from writing into one folder.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, cast

from filelock import FileLock, Timeout

from apprenti.core.data import (
    AnyNumber,
    AnyOf,
    Anything,
    Each,
    Fields,
    Flag,
    JsonData,
    JsonMapping,
    Maybe,
    Number,
    Whole,
    Word,
    check,
)
from apprenti.core.errors import BadFile, UnknownName
from apprenti.store.agentfile import digest_of, is_digest, packed, read_arrays
from apprenti.store.files import (
    check_folder,
    check_format,
    check_unlinked,
    is_there,
    read_bytes,
    read_json,
    read_steadily,
    write_bytes,
    write_json,
    write_text,
)

FORMAT = 1
CHECKPOINT_FORMAT = 2
"""Format 1 had no number in it and was otherwise the same."""
ROOT = Path("runs")
LOOKED = 0.2
"""Seconds to wait for a lock: somebody who looks whether a run goes on holds it for a moment."""
MOST_PAST = 16
"""Agents of past generations that are stored, at most."""
_LITTER = re.compile(r"\.[\w.-]*-\w{8}\.[a-z]+")
"""Half-written files of a process that was killed, as `store/files.py` names them."""
CHECKPOINTS = ("checkpoint.json", "checkpoint-before.json")


class RunInUse(BadFile):
    """Another process is writing into the folder."""


class RunAbout(TypedDict):
    """The description of a run."""

    format: int
    method: str
    config: JsonData
    versions: dict[str, str]


@dataclass(frozen=True)
class Checkpoint:
    """A learner's state after a generation."""

    generation: int
    state: JsonData
    seconds: float
    """Time spent so far."""
    config: JsonData
    """The options it was made with."""
    warning: str = ""
    """What was wrong with a newer checkpoint, if there was one."""


_ROW = Fields({"generation": Whole(), "seconds": Number()}, {"*": AnyNumber()})
_OPTION = AnyOf((Number(), Flag(), Maybe(Word()), Each(AnyOf((Number(), Flag(), Word())))))
_ABOUT = Fields(
    {"method": Word(), "config": Fields({}, {"*": _OPTION}), "versions": Fields({}, {"*": Word()})}, {"*": Anything()}
)
_CHECKPOINT = Fields(
    {
        "generation": Whole(),
        "state": Fields({}, {"*": Anything()}),
        "seconds": Number(low=0),
        "config": Fields({}, {"*": Anything()}),
    }
)


def _row(line: str) -> dict[str, float] | None:
    """A line of metrics; None if it is not whole."""
    with contextlib.suppress(ValueError, RecursionError):
        row = json.loads(line)
        if not _ROW.trouble(row, "") and all(map(str.isprintable, row)):
            return dict(row)
    return None


def _stride(generation: int) -> int:
    """How far the stored generations are apart: a power of 2."""
    return 1 << max(0, -(-generation // MOST_PAST) - 1).bit_length()


def checkpoint_digest(data: Mapping[str, object]) -> str:
    """What a checkpoint carries, to be known as whole."""
    return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=16).hexdigest()


def _arrays_file(digest: str) -> str:
    return f"arrays-{digest}.safetensors"


def _read(path: Path) -> Checkpoint:
    """A checkpoint, if it is whole."""
    data = read_json(path, "a checkpoint")
    if "format" in data:  # first: a later one may have another digest
        check_format(path, data, "a checkpoint", 1, CHECKPOINT_FORMAT)
    if data.pop("digest", "") != checkpoint_digest(data):
        raise BadFile(f"{path} has been altered or cut.")
    data.pop("format", None)
    check(_CHECKPOINT, data, str(path))
    arrays = data["state"].get("arrays")
    if arrays is not None:
        if not is_digest(arrays):
            raise BadFile(f"{path} is not a checkpoint: its arrays are named by no digest.")
        data["state"]["arrays"] = read_arrays(path.parent / _arrays_file(arrays), arrays)
    return Checkpoint(**data)


@dataclass(frozen=True)
class Run:
    """One run folder."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.folder.name

    @property
    def agent_path(self) -> Path:
        """Where the agent so far is."""
        return self.folder / "agent.json"

    def player_path(self, name: str) -> Path:
        """Where one of several players is."""
        return self.folder / f"player-{name}.json"

    def players(self) -> list[str]:
        """The names of its players, where there are several."""
        return sorted(path.stem.removeprefix("player-") for path in self.folder.glob("player-*.json"))

    def past_path(self, generation: int) -> Path:
        """Where the agent after a generation is, if it was stored."""
        return self.folder / "past" / f"{generation}.json"

    def past(self) -> list[int]:
        """The generations whose agents are stored."""
        return sorted(int(path.stem) for path in self.folder.glob("past/*.json") if path.stem.isdecimal())

    def keeps_past(self, generation: int) -> bool:
        """Whether the agent of a generation is stored: each at first, then every second, every fourth and so on."""
        return generation % _stride(generation) == 0

    def thin_past(self, generation: int) -> None:
        """Forget the agents that are too many by now."""
        for old in self.past():
            if old % _stride(generation) or old > generation:
                for path in (self.past_path(old), *self.folder.glob(f"past/{old}-*.safetensors")):
                    path.unlink(missing_ok=True)

    def about(self) -> RunAbout:
        """Method, options and versions."""
        data = read_json(self.folder / "run.json", "the description of a run")
        check_format(self.folder / "run.json", data, "the description of a run", FORMAT)
        check(_ABOUT, {name: value for name, value in data.items() if name != "format"}, f"{self.folder}/run.json")
        return cast(RunAbout, data)  # its shape was checked

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder for this process; refuse if another has it."""
        check_folder(self.folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / ".lock").acquire(timeout=LOOKED)
        except Timeout:
            raise RunInUse(
                f"{self.folder} is in use by another process: wait for it, or choose another --name."
            ) from None
        except OSError as error:
            raise BadFile(f"cannot write into {self.folder}: {error.strerror}.") from None
        with lock:
            for litter in (*self.folder.glob(".*-*.*"), *self.folder.glob("past/.*-*.*")):
                if _LITTER.fullmatch(litter.name):
                    litter.unlink(missing_ok=True)
            yield

    def is_running(self) -> bool:
        """Whether a process has the folder now; it is held for a moment to find out."""
        path = self.folder / ".lock"
        try:
            if path.exists():
                with FileLock(path).acquire(blocking=False):
                    return False
        except Timeout:
            return True
        except OSError:  # a folder that cannot be written: no learner can use it
            return False
        return False

    def remove(self) -> None:
        """Remove the folder and all that was learned in it; refused while a process learns."""
        with self.locked():
            pass
        try:
            shutil.rmtree(self.folder)
        except OSError as error:
            raise BadFile(f"cannot remove {self.folder}: {error.strerror}.") from None

    def begin(self, method: str, config: JsonData, versions: dict[str, str]) -> None:
        """Write the description of a new run."""
        if (self.folder / "run.json").exists():
            raise BadFile(f"there is a run in {self.folder} already: resume it, or choose another --name.")
        self.describe({"format": FORMAT, "method": method, "config": config, "versions": versions})

    def describe(self, about: JsonMapping) -> None:
        write_json(self.folder / "run.json", about)

    def save(self, checkpoint: Checkpoint, metrics: Mapping[str, float]) -> None:
        """Keep a generation: first its line of metrics, then everything else in one stroke."""
        try:
            with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(metrics) + "\n")
        except OSError as error:
            raise BadFile(f"cannot write into {self.folder}: {error.strerror}; free some space and resume.") from None
        self.keep(checkpoint)

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint in one stroke; the one before it stays beside it."""
        newest, before = (self.folder / name for name in CHECKPOINTS)
        if newest.exists():
            write_bytes(before, read_bytes(newest))  # a copy of its own: what damages one leaves the other
        data = {
            "format": CHECKPOINT_FORMAT, "generation": checkpoint.generation, "seconds": checkpoint.seconds,
            "config": checkpoint.config, "state": self._keep_arrays(checkpoint.state),
        }  # fmt: skip
        write_json(newest, {**data, "digest": checkpoint_digest(data)}, indent=None)
        self._forget_arrays()

    def _keep_arrays(self, state: JsonData) -> JsonData:
        """Write what is large beside the checkpoint; the state that is left names it."""
        if not state.get("arrays"):
            return state
        blob = packed(state["arrays"])
        digest = digest_of(blob)
        if not (self.folder / _arrays_file(digest)).exists():
            write_bytes(self.folder / _arrays_file(digest), blob)
        return {**state, "arrays": digest}

    def _forget_arrays(self) -> None:
        """Remove the arrays that no checkpoint names any more."""
        texts = [read_bytes(path) for path in map(self.folder.joinpath, CHECKPOINTS) if path.exists()]
        for path in self.folder.glob(_arrays_file("*")):
            if not any(path.stem.removeprefix("arrays-").encode() in text for text in texts):
                path.unlink(missing_ok=True)

    def load(self) -> Checkpoint | None:
        """The newest checkpoint that is whole; None if nothing was kept yet. It only reads: the run may be going on."""
        newest, before = (self.folder / name for name in CHECKPOINTS)
        if not newest.exists():
            return _read(before) if before.exists() else None
        try:
            return read_steadily(newest, _read)
        except BadFile as error:
            broken = error
        try:
            checkpoint = _read(before)
        except BadFile:
            raise BadFile(f"no checkpoint of {self.folder} can be read: {broken}") from None
        return replace(checkpoint, warning=f"{broken} Going on from the generation before.")

    def take_up(self) -> Checkpoint | None:
        """The newest checkpoint that is whole, for who has locked the run and goes on with it."""
        checkpoint = self.load()
        if checkpoint and checkpoint.warning:
            newest, before = (self.folder / name for name in CHECKPOINTS)
            with contextlib.suppress(OSError):
                before.replace(newest)  # or the next generation would keep the broken one, and not this one
        return checkpoint

    def summary(self) -> JsonData:
        """The run, its folder and its last line of metrics."""
        return {"run": self.name, "folder": str(self.folder), **(self.metrics() or [{}])[-1]}

    def metrics(self) -> list[dict[str, float]]:
        """The lines of metrics; one that was cut by a crash, or is damaged, is left out."""
        return [row for row in map(_row, self._lines()) if row]

    def metrics_from(self, offset: int) -> tuple[list[dict[str, float]], int]:
        """The whole lines of metrics from a byte on, and where the next ones will begin."""
        path = self.folder / "metrics.jsonl"
        try:
            with path.open("rb") as file:
                file.seek(offset)
                text = file.read()
        except FileNotFoundError:
            return [], 0
        except OSError as error:
            raise BadFile(f"cannot read {path}: {error.strerror}.") from None
        whole = text[: text.rfind(b"\n") + 1]
        rows = [row for row in map(_row, whole.decode("utf-8", errors="replace").splitlines()) if row]
        return rows, offset + len(whole)

    def _lines(self) -> list[str]:
        path = self.folder / "metrics.jsonl"
        return read_bytes(path).decode("utf-8", errors="replace").splitlines() if path.exists() else []

    def damage(self) -> str:
        """What can no longer be read of it, in one sentence; empty if all can."""
        try:
            self.about()
            lost = sum(_row(line) is None for line in self._lines()[:-1])  # the last may have been cut by a crash
        except BadFile as error:
            return str(error)
        return f"{self.folder}/metrics.jsonl has {lost} lines that are no metrics." if lost else ""

    def trim_metrics(self, generation: int) -> None:
        """Forget what came after a checkpoint: it will be done again."""
        kept = {row["generation"]: row for row in self.metrics() if row["generation"] <= generation}
        text = "".join(json.dumps(row) + "\n" for _, row in sorted(kept.items()))
        write_text(self.folder / "metrics.jsonl", text)


def fresh_run(method: str, root: Path = ROOT) -> Run:
    """A folder with a name that no run has yet; two processes that ask at once get two."""
    number = 1
    while True:
        run = Run(check_unlinked(root) / f"{method}-{number}")
        try:
            run.folder.mkdir(parents=True)
            return run
        except FileExistsError:
            number += 1
        except OSError as error:
            raise BadFile(f"cannot make {run.folder}: {error.strerror}.") from None


def check_name(name: str) -> str:
    """Refuse names that are no folder names."""
    if not re.fullmatch(r"\w[\w.-]{0,79}", name):
        raise BadFile(f"a run is named with letters, digits, dots and dashes, not {name!r}.")
    return name


def all_runs(root: Path = ROOT) -> list[Run]:
    """Every run in a folder of runs."""
    return [Run(folder) for folder in sorted(root.glob("*")) if os.path.lexists(folder / "run.json")]  # also a bad link


def find_run(text: str, root: Path = ROOT) -> Run:
    """A run by its name or its folder."""
    for folder in (root / text, Path(text)):
        if is_there(folder / "run.json"):
            return Run(folder)
    names = [run.name for run in all_runs(root)]
    raise UnknownName("run", text, names or ["none yet (apprenti train ce makes one)"])
