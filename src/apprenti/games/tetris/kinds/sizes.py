"""One agent on boards of many sizes (the thesis' figure 1.2)."""

from dataclasses import asdict, dataclass
from pathlib import Path

from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, markdown
from apprenti.lab.kinds.scores import Amount, agent_alone, play_alone, summary_of
from apprenti.views.numbers import number
from apprenti.views.plots import by_size


@dataclass(frozen=True, kw_only=True)
class File(Amount):
    """All boards from the first to the last of `widths` and of `heights`."""

    agent: str
    widths: tuple[int, int]
    heights: tuple[int, int]


class Sizes(Kind[File]):
    """A line for each number of rows, a part for each board."""

    File = File
    pictures = ("png", "svg")

    @property
    def widths(self) -> range:
        """The columns of the boards."""
        first, last = (4, 5) if self.settings.short else self.plan.widths
        return range(first, last + 1)

    @property
    def heights(self) -> range:
        """The rows of the boards."""
        first, last = (4, 6) if self.settings.short else self.plan.heights
        return range(first, last + 1)

    def divide(self) -> list[Part]:
        return [self._part(f"{width}x{height}") for width in self.widths for height in self.heights]

    def _part(self, size: str) -> Part:
        plan = self.plan
        agent, rules = agent_alone(self.find, plan.agent, "tetris", {"size": size}, self.where, plan.rare)
        with blaming(self.where):
            effort = plan.effort(self.settings)
        key = {**asdict(plan), "size": size}
        stored = self.stored(size, key) if plan.rare else None

        def work() -> Found:
            return {"size": size, **play_alone(agent, rules, effort, stored)}

        return Part(size, key, work)

    def means(self) -> dict[tuple[int, int], float]:
        """The mean lines of a game by columns and rows."""
        found = {}
        for one in self.found:
            width, height = map(int, one["size"].split("x"))
            found[width, height] = summary_of({**one, "unit": "lines"}).mean
        return found

    def table(self) -> str:
        means, widths = self.means(), self.widths
        lines = [[str(h), *(number(means[w, h], 3) if (w, h) in means else "-" for w in widths)] for h in self.heights]
        return markdown(["rows \\ columns", *map(str, widths)], lines)

    def draw(self, path: Path) -> None:
        by_size(self.means(), self.experiment.title, path)
