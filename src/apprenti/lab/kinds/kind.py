"""What every kind of experiment keeps to: what its file has, how it runs, its numbers, its table, its picture.

An experiment is done part by part: a row, a run, a player on a board. What is known of a part is plain data, stored in
the folder of the results, so that nothing is done twice after an interruption.

There are few kinds. A kind may have studies, other looks at the same work: `training/curves` in the registry is a file
with `kind = "training"` and `study = "curves"`. Those that know a game are in its folder and in its manifest.
"""

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from apprenti import __version__
from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile
from apprenti.core.plugins import Entry, Registry
from apprenti.lab.agents import Find, find, find_own
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.fields import read
from apprenti.lab.rare_events import RepetitionFile
from apprenti.lab.results import GamesFile
from apprenti.store.files import read_json, write_json

Report = Callable[[float, str], None]
"""Hears what part of the work is done, and what comes next."""
Finding = JsonData
"""What was found, as plain data."""
Row = TypeVar("Row")
Plan = TypeVar("Plan")


@dataclass(frozen=True)
class Settings:
    """How much of an experiment to run."""

    short: bool = False
    """A few games of the first rows only, to see that it works."""
    seed: int = 1
    workers: int = 0

    def first(self, rows: Sequence[Row], few: int = 2) -> Sequence[Row]:
        """All rows; of a short run a few."""
        return rows[:few] if self.short else rows


@dataclass(frozen=True)
class Part:
    """A part of an experiment: what it is called, all that its result depends on beside the settings, and the work."""

    name: str
    key: Any
    work: Callable[[], Finding]


class Kind(ABC, Generic[Plan]):
    """One experiment of a kind, and its findings so far: `numbers`, and a `table` of a line for each of them."""

    File: ClassVar[type[Any]]
    """A dataclass: the fields that a file of this kind has."""
    headings: Sequence[str] = ()
    """Of the table's columns."""
    pictures: ClassVar[tuple[str, ...]] = ("png",)
    """The formats its picture is drawn in."""

    def __init__(self, experiment: Experiment, settings: Settings, folder: Path) -> None:
        self.experiment, self.settings, self.folder = experiment, settings, folder
        self.where = f"experiment {experiment.name} of kind {experiment.kind}"
        self.plan: Plan = read(self.File, experiment.data, self.where)
        self.parts = self.divide()
        if not self.parts:
            raise BadFile(f"{self.where} asks for nothing: its rows, runs, boards or sizes come to none.")
        self.findings: list[Finding] = []
        """What each part has come to."""
        self.resumed = False
        """Whether a part was done before, and is in the folder of the results."""
        self.interrupted = False
        """Ctrl-C was pressed: the table has what was known by then."""

    @property
    def find(self) -> Find:
        """How agents that the file names are found: programs among them only if its user has said so."""
        return find_own if self.experiment.trusted else find

    @abstractmethod
    def divide(self) -> list[Part]:
        """The parts of the work, in their order. All that a file can have wrong is refused here."""

    @abstractmethod
    def draw(self, path: Path) -> None:
        """The picture."""

    def run(self, report: Report) -> Iterator[None]:
        """Do the work. It yields whenever more is known."""
        for done, part in enumerate(self.parts):
            report(done / len(self.parts), part.name)
            self.findings.append(self.result(part))
            yield
            if self.interrupted:
                return

    def result(self, part: Part) -> Finding:
        """What a part comes to; one that was done before is not done again."""
        key = self._key(part.key)
        path = self.folder / "parts" / f"{file_name(part.name, key)}.json"
        self.resumed |= path.exists()
        if not path.exists():
            finding = part.work()
            if finding.get("interrupted"):
                self.interrupted = True
                return finding
            write_json(path, {**key, "found": finding})
        content = read_json(path, "a part of an experiment").get("found")
        if not isinstance(content, dict):
            raise BadFile(f"{path} has not what a part came to: delete it, and the part is done again.")
        return content

    def _key(self, key: Any) -> Finding:
        """All that the result of a part depends on."""
        settings = {"seed": self.settings.seed, "short": self.settings.short}
        return {"kind": self.experiment.kind, "version": __version__, **settings, "part": key}

    def stored(self, name: str, key: Any) -> RepetitionFile:
        """Where a part that is measured by splitting stores its repetitions."""
        return RepetitionFile(self.folder / "repetitions" / f"{file_name(name, self._key(key))}.json")

    def games_of(self, name: str, key: Any) -> GamesFile:
        """Where the games of a part are stored while they are played."""
        return GamesFile(self.folder / "games" / f"{file_name(name, self._key(key))}.json")

    def numbers(self) -> list[Finding]:
        """Everything that was found so far, as plain data."""
        return self.findings

    def table(self) -> str:
        """The table that is published."""
        return markdown(self.headings, [self.cells(one) for one in self.numbers()])

    def cells(self, finding: Finding) -> list[str]:
        """The line of one of the numbers in the table."""
        raise NotImplementedError

    @classmethod
    def score(cls, finding: Finding) -> Finding | None:
        """What the file of the agent is to say of one of the numbers; None if they are not an agent's score."""
        return None


def file_name(label: str, key: Any) -> str:
    """A name for a file or a folder: readable, and another one for every key."""
    digest = hashlib.blake2b(json.dumps(key, sort_keys=True).encode(), digest_size=6).hexdigest()
    return f"{re.sub(r'[^a-z0-9]+', '-', label.lower())[:40].strip('-') or 'part'}-{digest}"


def markdown(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table."""
    rows = [headings, ["---"] * len(headings), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def grouped(findings: Sequence[Finding], name: str) -> list[list[Finding]]:
    """Findings that have the same name, together, in their order."""
    groups: dict[Any, list[Finding]] = {}
    for one in findings:
        groups.setdefault(one[name], []).append(one)
    return list(groups.values())


KINDS: Registry[type[Kind[Any]]] = Registry(
    "kind of experiment",
    "kinds",
    {
        "scores": Entry("apprenti.lab.kinds.scores:Scores", "agents, each under its rules, beside what was published"),
        "scores/coverage": Entry("apprenti.lab.kinds.scores:Coverage", "intervals by splitting against played games"),
        "match": Entry("apprenti.lab.kinds.match:Match", "pairs of agents at a game for two, or all of them, and Elo"),
        "training": Entry("apprenti.lab.kinds.training:Training", "runs of a learner, and fresh games with each"),
        "training/curves": Entry(
            "apprenti.lab.kinds.training:Curves", "learning curves of several runs, point by point"
        ),
        "training/columns": Entry("apprenti.lab.kinds.training:Columns", "what learners say of themselves on the way"),
        "cluster": Entry("apprenti.lab.kinds.cluster:Cluster", "a model of many cores, by the length of a task"),
    },
)
"""The kinds of experiment and their studies; each is loaded only when it is run."""
