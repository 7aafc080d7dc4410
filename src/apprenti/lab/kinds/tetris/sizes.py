"""One agent on boards of many sizes (the thesis' figure 1.2)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apprenti.lab.evaluate import Evaluation
from apprenti.lab.kinds.kind import Kind, Report, markdown
from apprenti.lab.kinds.measuring import measure
from apprenti.views.numbers import number
from apprenti.views.plots import by_size


class Sizes(Kind):
    """All boards from the first to the last of `widths` and of `heights`."""

    needs = ("agent", "widths", "heights", "games")
    found: list[tuple[tuple[int, int], Evaluation]]

    @property
    def widths(self) -> range:
        """The columns of the boards."""
        first, last = (4, 5) if self.settings.short else self.data["widths"]
        return range(first, last + 1)

    @property
    def heights(self) -> range:
        """The rows of the boards."""
        first, last = (4, 6) if self.settings.short else self.data["heights"]
        return range(first, last + 1)

    def run(self, report: Report) -> Iterator[None]:
        """Play on every board."""
        boards = [(width, height) for width in self.widths for height in self.heights]
        for done, (width, height) in enumerate(boards):
            report(done / len(boards), f"{width}x{height}")
            evaluation = measure({**self.data, "size": f"{width}x{height}"}, self.settings)
            self.found.append(((width, height), evaluation))
            yield
            if evaluation.interrupted:
                self.interrupted = True
                return

    def means(self) -> dict[tuple[int, int], float]:
        """The mean lines of a game by columns and rows."""
        return {size: evaluation.summary("lines").mean for size, evaluation in self.found}

    def numbers(self) -> list[dict[str, Any]]:
        """Each board's evaluation."""
        return [{"size": f"{w}x{h}", **evaluation.to_json()} for (w, h), evaluation in self.found]

    def table(self) -> str:
        """A line for each number of rows, a column for each number of columns."""
        means, widths = self.means(), self.widths
        lines = [[str(h), *(number(means[w, h], 3) if (w, h) in means else "-" for w in widths)] for h in self.heights]
        return markdown(["rows \\ columns", *map(str, widths)], lines)

    def draw(self, path: Path) -> None:
        """The means by size."""
        by_size(self.means(), self.experiment.title, path)
