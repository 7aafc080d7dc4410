"""Run an experiment and write its table, its picture and its numbers."""

from pathlib import Path

from apprenti.core.errors import BadFile
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Kind, Report, Settings
from apprenti.lab.kinds.registry import KINDS
from apprenti.store.files import write_json, write_text


def reproduce(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Run an experiment; return its table, which is also written with its picture and numbers."""
    try:
        kind: Kind = KINDS.load(experiment.kind)(experiment, settings, folder)
        for _ in kind.run(report):
            write_json(folder / "results.json", kind.numbers())  # what is known, also after an interruption
        for ending in kind.pictures:
            kind.draw(folder / f"picture.{ending}")
        table = kind.table()
    except (KeyError, TypeError, IndexError) as error:
        raise BadFile(f"experiment {experiment.name} lacks something its kind needs ({error!r}).") from None
    if kind.interrupted:
        table = f"interrupted: this is what was known by then.\n\n{table}"
    size = "a short run, to see that it works: no result\n\n" if settings.short else ""
    write_text(folder / "table.md", f"# {experiment.title}\n\n{experiment.question}\n\n{size}{table}")
    if kind.interrupted:
        raise KeyboardInterrupt
    return table
