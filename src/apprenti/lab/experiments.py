"""Experiments: one small file for every number we publish. They come with the games, and with installed packages."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from apprenti.core.data import JsonData, JsonObject
from apprenti.core.errors import LONGEST, BadFile, UnknownName, printable
from apprenti.core.plugins import folders
from apprenti.store.files import read_json, read_toml

HERE = Path("experiments")
"""The experiments of the folder where one works, beside those of plug-ins."""
COSTS = "costs.json"
"""Beside the files of experiments: what each cost where it was run whole. `lab/publish.py` writes it."""
PICTURES = "pictures.json"
"""Beside them, too: what `lab/published.py` draws of a game's results."""
HEAD = ("title", "question", "kind", "study")
"""What every file of an experiment begins with; most need no study."""
FORMER = {
    "curves": "training/curves",
    "metrics": "training/columns",
    "rates": "training/rates",
    "tables": "training/tables",
    "boards": "training/boards",
    "unbeatable": "training/unbeatable",
    "chapter": "training/report",
    "coverage": "scores/coverage",
    "sizes": "scores/sizes",
    "dealers": "scores/dealers",
    "variants": "scores/variants",
    "tournament": "match",
    "exploited": "match/exploit",
    "practised": "match/best-response",
    "optima": "solve",
    "distances": "solve/players",
    "disagreements": "solve/disagreements",
    "iterations": "solve/iterations",
    "selection": "criteria",
    "windows": "criteria/windows",
}
"""The kinds of version 0.2 that are studies of other kinds now, with the names that the registry has for these."""


_NAME = re.compile(r"\w[\w.-]{0,79}")
"""A folder of results is named so, too."""


def kind_named(kind: str, study: str = "") -> str:
    """A kind of experiment, or a study of one, by the name that the registry has for it."""
    return f"{kind}/{study}" if study else FORMER.get(kind, kind)


@dataclass(frozen=True)
class Experiment:
    """A file: what is asked, and what to run."""

    name: str
    title: str
    question: str
    kind: str
    """As the registry has it: with its study, if it has one, after a slash."""
    data: JsonData = field(hash=False)
    trusted: bool = False
    """Whether its user has said that programs which it names may be started; nothing that is stored says so."""


def known() -> dict[str, Path]:
    """The experiments by name."""
    places = [*folders("experiments"), HERE]
    paths = [path for folder in places for path in sorted(folder.glob("*.toml"))]
    return {path.stem: path for path in paths if _NAME.fullmatch(path.stem)}


def cost_of(experiment: Path) -> JsonObject:
    """What an experiment, by its file, cost where it was run whole: `core_seconds`, `seconds`, the machine, `date`.

    Empty if that is not known: it was not run whole since costs are taken down.
    """
    path = experiment.parent / COSTS
    cost = read_json(path, "the costs of experiments").get(experiment.stem, {}) if path.exists() else {}
    return cost if isinstance(cost, dict) else {}


def read(text: str) -> Experiment:
    """An experiment by its name or its file."""
    path = Path(text) if text.endswith(".toml") else known().get(text)
    if path is None:
        raise UnknownName("experiment", text, known())
    if not _NAME.fullmatch(path.stem):
        raise BadFile(f"an experiment is named with letters, digits, dots and dashes, not {path.stem!r:.60}.")
    data = read_toml(path, "an experiment")
    title, question, kind, study = (data.pop(name, "" if name == "study" else None) for name in HEAD)
    if not all(isinstance(text, str) for text in (title, question, kind, study)):
        raise BadFile(f"{path} is not an experiment: a title, a question and a kind were expected, each a text.")
    title, question = printable(title)[:LONGEST], "\n".join(map(printable, question.split("\n")))
    return Experiment(path.stem, title, question, kind_named(kind, study), data)
