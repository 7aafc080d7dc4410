"""Run an experiment and write its table, its picture and its numbers."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import date
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any

from apprenti import __version__
from apprenti.arena.executors import cluster
from apprenti.core.data import JsonObject
from apprenti.core.errors import ApprentiError, BadFile
from apprenti.lab.bench.machine import processor
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import KINDS, Kind, Report, Settings
from apprenti.store.files import check_folder, read_json, write_json, write_text


def reproduce(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Run an experiment; return its table, which is also written with its picture and numbers.

    What was done before, in the same folder with the same settings, is not done again. Ctrl-C writes what is known.
    """
    kind = KINDS.load(experiment.kind)(experiment, settings, check_folder(folder))
    about = {"experiment": experiment.name, "kind": experiment.kind, "version": __version__, "commit": commit(),
             **asdict(settings)}  # fmt: skip
    spent, doing = Spent(folder, about), {"part": 0.0, "doing": ""}
    write_json(folder / "settings.json", {**about, "complete": False})

    def tell(part: float, words: str) -> None:
        doing.update(part=part, doing=words)
        report(part, words)
        write_json(folder / "progress.json", {**doing, **spent.so_far()})

    try:
        for _ in kind.run(tell):
            with read_from(kind):
                numbers = kind.numbers()
            write_json(folder / "results.json", numbers)
    except KeyboardInterrupt:
        write_json(folder / "progress.json", {**doing, **spent.so_far()})
        if not kind.findings:
            raise
        kind.interrupted = True
    with read_from(kind):
        for ending in kind.pictures:
            kind.draw(folder / f"picture.{ending}")
        table = kind.table()
    if kind.interrupted:
        table = f"interrupted: this is what was known by then.\n\n{table}"
    size = "a short run, to see that it works: no result\n\n" if settings.short else ""
    write_text(folder / "table.md", f"# {experiment.title}\n\n{experiment.question}\n\n{size}{table}")
    if kind.interrupted:
        raise KeyboardInterrupt
    where: JsonObject = {"processor": processor(), "cores": os.cpu_count(), "date": date.today().isoformat()}
    write_json(folder / "settings.json", {**about, "complete": True, **spent.so_far(), **where})
    return table


@contextmanager
def read_from(kind: Kind[Any]) -> Iterator[None]:
    """Say what can be done where the parts that were done before are not what such parts come to."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        if not kind.resumed:
            raise
        parts = kind.folder / "parts"
        raise BadFile(
            f"{parts} has not what the parts came to ({error!r}): delete it, and they are done again."
        ) from error


class Spent:
    """What an experiment costs, with what it cost before it was interrupted: seconds, and seconds of all cores."""

    def __init__(self, folder: Path, about: JsonObject) -> None:
        self.before = {"seconds": 0.0, "core_seconds": 0.0}
        with suppress(ApprentiError):
            settings = read_json(folder / "settings.json", "the settings of an experiment")
            if all(settings.get(name) == about[name] for name in ("experiment", "version", "short", "seed")):
                done = settings if settings.get("complete") else read_json(folder / "progress.json", "its progress")
                self.before = {name: done[name] for name in self.before if isinstance(done.get(name), float)}
        self._began, self._worked = perf_counter(), sum(os.times()[:4])

    def so_far(self) -> JsonObject:
        """The costs that are known: those of an older version, or of a cluster's machines, are not."""
        now = {"seconds": perf_counter() - self._began, "core_seconds": sum(os.times()[:4]) - self._worked}
        known = [name for name in self.before if name == "seconds" or cluster() is None]
        return {name: self.before[name] + now[name] for name in known}


def commit() -> str:
    """The commit of the checkout this is run from; empty for an installed package, or without git."""
    folder = Path(str(files("apprenti"))).parents[1]
    if not (folder / ".git").exists():
        return ""
    words = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
