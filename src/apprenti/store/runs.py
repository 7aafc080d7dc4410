"""Run folders: what a learner needs to go on after anything, and what a person wants to see of it.

    runs/NAME/run.json         method, options, versions
              metrics.jsonl    one line a generation
              checkpoint.json  everything the next generation depends on, and checkpoint-before.json the one before
              agent.json       the agent so far
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile, UnknownName
from apprenti.store.files import read_json, write_json

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
    warning: str = ""
    """What was wrong with a newer checkpoint, if there was one."""


def _digest(data: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=16).hexdigest()


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

    def about(self) -> dict[str, Any]:
        """Method, options and versions."""
        data = read_json(self.folder / "run.json", "the description of a run")
        if data.get("format") != FORMAT or not isinstance(data.get("config"), dict) or "method" not in data:
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
        try:
            yield
        finally:
            os.close(handle)

    def begin(self, method: str, config: dict[str, Any], versions: dict[str, str]) -> None:
        """Write the description of a new run."""
        if (self.folder / "run.json").exists():
            raise BadFile(f"there is a run in {self.folder} already: resume it, or choose another --name.")
        write_json(
            self.folder / "run.json", {"format": FORMAT, "method": method, "config": config, "versions": versions}
        )

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
        data = {"generation": checkpoint.generation, "seconds": checkpoint.seconds, "state": checkpoint.state}
        write_json(newest, {**data, "digest": _digest(data)}, indent=None)

    def load(self) -> Checkpoint | None:
        """The newest checkpoint that is whole; None if nothing was kept yet."""
        warning = ""
        for name in CHECKPOINTS:
            path = self.folder / name
            if not path.exists():
                continue
            try:
                data = read_json(path, "a checkpoint")
                if data.pop("digest", "") != _digest(data):
                    raise BadFile(f"{path} has been altered or cut.")
                note = f"{warning} Going on from the generation before." if warning else ""
                return Checkpoint(data["generation"], data["state"], data["seconds"], note)
            except (BadFile, KeyError, TypeError) as error:
                warning = str(error)
        if warning:
            raise BadFile(f"no checkpoint of {self.folder} can be read: {warning}")
        return None

    def metrics(self) -> list[dict[str, Any]]:
        """The lines of metrics; one that was cut by a crash is left out."""
        path, rows = self.folder / "metrics.jsonl", []
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                with contextlib.suppress(ValueError):
                    rows.append(json.loads(line))
        return [row for row in rows if isinstance(row, dict) and "generation" in row]

    def trim_metrics(self, generation: int) -> None:
        """Forget what came after a checkpoint: it will be done again."""
        kept = {row["generation"]: row for row in self.metrics() if row["generation"] <= generation}
        text = "".join(json.dumps(row) + "\n" for _, row in sorted(kept.items()))
        from apprenti.store.files import write_text

        write_text(self.folder / "metrics.jsonl", text)


def fresh_name(method: str, root: Path = ROOT) -> str:
    """A name that no run has yet."""
    taken = {path.name for path in root.glob("*")}
    return next(name for name in (f"{method}-{i}" for i in range(1, 10**6)) if name not in taken)


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
