"""Run folders: what a learner needs to go on after anything, and what a person wants to see of it.

    runs/NAME/run.json         method, options, versions
              metrics.jsonl    one line a generation
              checkpoint.json  everything the next generation depends on, and checkpoint-before.json the one before
              arrays-*.safetensors  what is large in a checkpoint, named by its digest
              agent.json       the agent so far
              player-NAME.json each of several players so far
              curve.png        the curve so far

A checkpoint carries a digest: a half-written or altered one is noticed, and the one before it is used. A lock that the
system takes back when the process ends, however it ends, keeps two processes from writing into one folder.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile, UnknownName
from apprenti.store.arrays import digest_of, packed, read_arrays
from apprenti.store.files import read_json, write_bytes, write_json, write_text

FORMAT = 1
ROOT = Path("runs")
CHECKPOINTS = ("checkpoint.json", "checkpoint-before.json")


class RunInUse(BadFile):
    """Another process is writing into the folder."""


@dataclass(frozen=True)
class Checkpoint:
    """A learner's state after a generation."""

    generation: int
    state: dict[str, Any]
    seconds: float
    """Time spent so far."""
    config: dict[str, Any]
    """The options it was made with."""
    warning: str = ""
    """What was wrong with a newer checkpoint, if there was one."""


def _row(line: str) -> dict[str, Any] | None:
    """A line of metrics; None if it is not whole."""
    with contextlib.suppress(ValueError, RecursionError):
        row = json.loads(line)
        if isinstance(row, dict) and all(isinstance(row.get(name), int | float) for name in ("generation", "seconds")):
            return row
    return None


def _digest(data: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=16).hexdigest()


def _arrays_file(digest: str) -> str:
    return f"arrays-{digest}.safetensors"


def _read(path: Path) -> Checkpoint:
    """A checkpoint, if it is whole."""
    data = read_json(path, "a checkpoint")
    if data.pop("digest", "") != _digest(data):
        raise BadFile(f"{path} has been altered or cut.")
    try:
        checkpoint = Checkpoint(**data)
        arrays = checkpoint.state.get("arrays")
        if isinstance(arrays, str):
            checkpoint.state["arrays"] = read_arrays(path.parent / _arrays_file(arrays), arrays)
        return checkpoint
    except (TypeError, AttributeError):
        raise BadFile(f"{path} is not a checkpoint as this version writes them.") from None


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

    def about(self) -> dict[str, Any]:
        """Method, options and versions."""
        data = read_json(self.folder / "run.json", "the description of a run")
        kinds = {"config": dict, "versions": dict, "method": str}
        if data.get("format") != FORMAT or not all(isinstance(data.get(name), kinds[name]) for name in kinds):
            raise BadFile(f"{self.folder} is not a run of format {FORMAT}, the one this version reads.")
        return data

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the folder for this process; refuse if another has it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder / ".lock", os.O_CREAT | os.O_RDWR, 0o644)
        except OSError as error:
            raise BadFile(f"cannot write into {self.folder}: {error.strerror}.") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise RunInUse(
                f"{self.folder} is in use by another process: wait for it, or choose another --name."
            ) from None
        for litter in self.folder.glob(".*-*.*"):  # half-written files of a process that was killed
            litter.unlink(missing_ok=True)
        try:
            yield
        finally:
            os.close(handle)

    def begin(self, method: str, config: dict[str, Any], versions: dict[str, str]) -> None:
        """Write the description of a new run."""
        if (self.folder / "run.json").exists():
            raise BadFile(f"there is a run in {self.folder} already: resume it, or choose another --name.")
        self.describe({"format": FORMAT, "method": method, "config": config, "versions": versions})

    def describe(self, about: dict[str, Any]) -> None:
        """Write the description of a run."""
        write_json(self.folder / "run.json", about)

    def save(self, checkpoint: Checkpoint, metrics: dict[str, Any]) -> None:
        """Keep a generation: first its line of metrics, then everything else in one stroke."""
        try:
            with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(metrics) + "\n")
        except OSError as error:
            raise BadFile(f"cannot write into {self.folder}: {error.strerror}; free some space and resume.") from None
        newest, before = (self.folder / name for name in CHECKPOINTS)
        if newest.exists():
            with contextlib.suppress(OSError):
                before.unlink(missing_ok=True)
                os.link(newest, before)
        data = {
            "generation": checkpoint.generation, "seconds": checkpoint.seconds, "config": checkpoint.config,
            "state": self._keep_arrays(checkpoint.state),
        }  # fmt: skip
        write_json(newest, {**data, "digest": _digest(data)}, indent=None)
        self._forget_arrays()

    def _keep_arrays(self, state: dict[str, Any]) -> dict[str, Any]:
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
        texts = [path.read_text(encoding="utf-8") for path in map(self.folder.joinpath, CHECKPOINTS) if path.exists()]
        for path in self.folder.glob(_arrays_file("*")):
            if not any(path.stem.removeprefix("arrays-") in text for text in texts):
                path.unlink(missing_ok=True)

    def load(self) -> Checkpoint | None:
        """The newest checkpoint that is whole; None if nothing was kept yet."""
        newest, before = (self.folder / name for name in CHECKPOINTS)
        if not newest.exists():
            return _read(before) if before.exists() else None
        try:
            return _read(newest)
        except BadFile as error:
            broken = error
        try:
            found = _read(before)
        except BadFile:
            raise BadFile(f"no checkpoint of {self.folder} can be read: {broken}") from None
        with contextlib.suppress(OSError):
            before.replace(newest)  # or the next generation would keep the broken one, and not this one
        return replace(found, warning=f"{broken} Going on from the generation before.")

    def metrics(self) -> list[dict[str, Any]]:
        """The lines of metrics; one that was cut by a crash is left out."""
        path = self.folder / "metrics.jsonl"
        try:
            text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        except OSError as error:
            raise BadFile(f"cannot read {path}: {error.strerror}.") from None
        return [row for row in map(_row, text.splitlines()) if row]

    def trim_metrics(self, generation: int) -> None:
        """Forget what came after a checkpoint: it will be done again."""
        kept = {row["generation"]: row for row in self.metrics() if row["generation"] <= generation}
        text = "".join(json.dumps(row) + "\n" for _, row in sorted(kept.items()))
        write_text(self.folder / "metrics.jsonl", text)


def fresh_run(method: str, root: Path = ROOT) -> Run:
    """A folder with a name that no run has yet; two processes that ask at once get two."""
    number = 1
    while True:
        run = Run(root / f"{method}-{number}")
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
    return [Run(path.parent) for path in sorted(root.glob("*/run.json"))]


def find_run(text: str, root: Path = ROOT) -> Run:
    """A run by its name or its folder."""
    for folder in (root / text, Path(text)):
        if (folder / "run.json").exists():
            return Run(folder)
    names = [run.name for run in all_runs(root)]
    raise UnknownName("run", text, names or ["none yet (apprenti train ce makes one)"])
