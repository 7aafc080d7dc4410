"""What every kind of experiment keeps to: what its file needs, how it runs, its numbers, its table, its picture."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from apprenti.core.errors import BadFile
from apprenti.lab.experiments import Experiment

Report = Callable[[float, str], None]
"""Is told what part of the work is done, and what comes next."""
Row = TypeVar("Row")


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


class Finding(Protocol):
    """What a line of the table says, and the numbers behind it."""

    def to_json(self) -> dict[str, Any]:
        """Everything that was found."""
        ...

    def cells(self) -> list[str]:
        """The line of the table."""
        ...


class Kind(ABC):
    """One experiment of a kind, and what it has found so far.

    `numbers` and `table` are made of the findings; a kind whose numbers or table have another form overrides them.
    """

    needs: ClassVar[tuple[str, ...]]
    """What a file of this kind must have; `run.name` is a name for every `[[run]]`."""
    headings: Sequence[str] = ()
    """Of the table's columns."""
    pictures: ClassVar[tuple[str, ...]] = ("png",)
    """The formats its picture is drawn in."""

    def __init__(self, experiment: Experiment, settings: Settings, folder: Path) -> None:
        for need in self.needs:
            if _lacks(experiment.data, need):
                raise BadFile(f"experiment {experiment.name} is of kind {experiment.kind}, which needs {need}.")
        self.experiment, self.settings, self.folder = experiment, settings, folder
        self.data = experiment.data
        self.found: list[Any] = []
        """A `Finding` for each line, unless the kind has a table of another form."""
        self.interrupted = False
        """Ctrl-C was pressed: the table has what was known by then."""

    @abstractmethod
    def run(self, report: Report) -> Iterator[None]:
        """Do the work. It yields whenever more is known, and what is known is then kept."""

    @abstractmethod
    def draw(self, path: Path) -> None:
        """The picture."""

    def numbers(self) -> list[dict[str, Any]]:
        """Everything that was found so far, as plain data."""
        return [one.to_json() for one in self.found]

    def table(self) -> str:
        """The table that is published."""
        return markdown(self.headings, [one.cells() for one in self.found])


def markdown(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table."""
    rows = [headings, ["---"] * len(headings), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def _lacks(data: dict[str, Any], need: str) -> bool:
    key, _, inner = need.partition(".")
    if not inner:
        return key not in data
    return not data.get(key) or any(_lacks(row, inner) for row in data[key])
