"""Run an experiment and write its table, its picture and its numbers."""

from dataclasses import asdict
from pathlib import Path

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
    about = {"experiment": experiment.name, "kind": experiment.kind, "version": __version__, **asdict(settings)}
    write_json(folder / "settings.json", {**about, "complete": False})
    try:
        for _ in kind.run(report):
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
    write_json(folder / "settings.json", {**about, "complete": True})
    return table
