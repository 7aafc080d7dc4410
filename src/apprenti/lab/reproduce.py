"""Run an experiment and write its table, its picture and its numbers."""

import subprocess
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from time import perf_counter

from apprenti import __version__
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Report, Settings
from apprenti.lab.kinds.registry import KINDS
from apprenti.store.files import write_json, write_text


def reproduce(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Run an experiment; return its table, which is also written with its picture and numbers.

    What was done before, in the same folder with the same settings, is not done again. Ctrl-C writes what is known.
    """
    kind = KINDS.load(experiment.kind)(experiment, settings, folder)
    about = {"experiment": experiment.name, "kind": experiment.kind, "version": __version__, "commit": commit(),
             **asdict(settings)}  # fmt: skip
    write_json(folder / "settings.json", {**about, "complete": False})
    began = perf_counter()

    def tell(part: float, words: str) -> None:
        report(part, words)
        write_json(folder / "progress.json", {"part": part, "doing": words, "seconds": perf_counter() - began})

    try:
        for _ in kind.run(tell):
            write_json(folder / "results.json", kind.numbers())
    except KeyboardInterrupt:
        if not kind.found:
            raise
        kind.interrupted = True
    for ending in kind.pictures:
        kind.draw(folder / f"picture.{ending}")
    table = kind.table()
    if kind.interrupted:
        table = f"interrupted: this is what was known by then.\n\n{table}"
    size = "a short run, to see that it works: no result\n\n" if settings.short else ""
    write_text(folder / "table.md", f"# {experiment.title}\n\n{experiment.question}\n\n{size}{table}")
    if kind.interrupted:
        raise KeyboardInterrupt
    write_json(folder / "settings.json", {**about, "complete": True, "seconds": perf_counter() - began})
    return table


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
