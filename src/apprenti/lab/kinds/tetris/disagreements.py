"""The moves of a player that cost it most of what it lacks of the optimum, with their boards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.kinds.kind import Kind, Report, markdown
from apprenti.lab.tetris.optimal_targets import Disagreement, Lessons, lessons
from apprenti.lab.tetris.solve import Problem, solve
from apprenti.views.plots import losses


def cells_of(number: int, one: Disagreement, games: int) -> list[str]:
    """A move's line of the table."""
    often, lost = 1000 * one.times / games, one.loss * one.times / games
    return [str(number), one.best.placement.piece, f"{often:.0f}", f"{one.loss:.2f}", f"{lost:.3f}"]


class Disagreements(Kind):
    """One `agent` on a board of `size`, of which the worst moves are `shown`."""

    needs = ("agent", "size", "games", "shown", "short_size")
    headings = ("move", "piece", "in 1000 games", "lines lost each time", "lines lost a game")
    optimum: float
    found: list[Lessons]

    def run(self, report: Report) -> Iterator[None]:
        """Solve the board, play on it, and look at every move."""
        short, seed, workers = self.settings.short, self.settings.seed, self.settings.workers
        size, games = (self.data["short_size"], 50) if short else (self.data["size"], self.data["games"])
        report(0.0, f"solving {size}")
        rules = Rules.preset("simplified", size)
        solution = solve(Problem(rules, check_games=0, curve_games=0, workers=workers))
        self.optimum = solution.solver.value_of_empty_board
        report(0.5, f"{self.data['agent']} plays")
        self.found.append(lessons(find(self.data["agent"]).agent, solution.agent(), games, seed))
        yield

    def numbers(self) -> list[dict[str, Any]]:
        """The board, its optimum, and the moves that are shown."""
        (found,) = self.found
        size = f"{found.rules.width}x{found.rules.height}"
        return [{"size": size, "optimum": self.optimum, **found.to_json(self.data["shown"])}]

    def table(self) -> str:
        """The moves, what all of them lose, and their boards."""
        (found,) = self.found
        shown = list(enumerate(found.found[: self.data["shown"]], 1))
        table = markdown(self.headings, [cells_of(number, one, found.games) for number, one in shown])
        told = f"All its moves together lose {found.loss:.2f} lines a game; the optimum is {self.optimum:.2f}."
        boards = "\n\n".join(
            f"{number}  the wall, theirs, the best\n\n{one.drawn(found.rules)}" for number, one in shown
        )
        return f"{table}\n{told}\n\n```\n{boards}\n```\n"

    def draw(self, path: Path) -> None:
        """What the most expensive moves cost together."""
        (found,) = self.found
        losses([one.loss * one.times / found.games for one in found.found], self.experiment.title, path)
