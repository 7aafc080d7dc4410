"""Agents, each under its rules, beside what was published."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apprenti.arena.statistics import Summary
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.kinds.kind import Kind, Report
from apprenti.lab.kinds.measuring import measure
from apprenti.views.numbers import number
from apprenti.views.plots import comparison


@dataclass(frozen=True)
class Scored:
    """A row of the experiment and its games."""

    row: dict[str, Any]
    evaluation: Evaluation

    @property
    def unit(self) -> str:
        """What is counted."""
        return str(self.row.get("unit", self.evaluation.unit))

    @property
    def summary(self) -> Summary:
        """Mean, interval and the rest."""
        return self.evaluation.summary(self.unit)

    @property
    def board(self) -> str:
        """The rules on few words."""
        rules = self.evaluation.rules
        return f"{rules.name} {rules.width}x{rules.height}"

    def to_json(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        return self.evaluation.to_json()

    def cells(self) -> list[str]:
        """The line of the table."""
        evaluation, summary = self.evaluation, self.summary
        moves = sum(record.length for record in evaluation.records)
        return [
            evaluation.name,
            self.board,
            f"{summary.games} ({summary.deaths})",
            str(self.row.get("published", "-")),
            f"**{number(summary.mean, 3)}** {self.unit}",
            f"{number(summary.ci95[0], 3)} … {number(summary.ci95[1], 3)}",
            f"{evaluation.seconds:,.0f} s",
            f"{evaluation.seconds * evaluation.effort.cores / max(1, moves) * 1e6:.2f} µs",
        ]


class Scores(Kind):
    """A `[[row]]` for each agent."""

    needs = ("row.agent", "row.games")
    headings = (
        "agent", "rules", "games (deaths)", "published", "measured", "95 % interval", "time", "core time a piece",
    )  # fmt: skip
    found: list[Scored]

    def run(self, report: Report) -> Iterator[None]:
        """Play every row."""
        rows = self.settings.first(self.data["row"])
        for done, row in enumerate(rows):
            report(done / len(rows), row["agent"])
            evaluation = measure(row, self.settings)
            self.found.append(Scored(row, evaluation))
            yield
            if evaluation.interrupted:
                self.interrupted = True
                return

    def draw(self, path: Path) -> None:
        """The means with their intervals."""
        summaries = {f"{one.evaluation.name} {one.board}": one.summary for one in self.found}
        comparison(summaries, self.found[0].row.get("unit", "lines"), self.experiment.title, path)
