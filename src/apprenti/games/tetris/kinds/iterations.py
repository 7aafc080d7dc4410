"""How many iterations λ-policy iteration needs to solve a board, λ by λ (thesis, section 2.2.3)."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.learn.exact import ExactConfig
from apprenti.games.tetris.rules import Rules
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, grouped, markdown
from apprenti.views.plots import dots


@dataclass(frozen=True, kw_only=True)
class File:
    """Every λ of `lambdas` on every board of `sizes`, until the residual is as small as said."""

    sizes: tuple[str, ...]
    lambdas: tuple[float, ...]
    residual: float


class Iterations(Kind[File]):
    """A line for each λ, a column for each board."""

    File = File

    def divide(self) -> list[Part]:
        sizes = self.settings.first(self.plan.sizes, 1)
        return [self._part(size, lambda_) for size in sizes for lambda_ in self.settings.first(self.plan.lambdas)]

    def _part(self, size: str, lambda_: float) -> Part:
        with blaming(self.where):
            config = ExactConfig("lambda", lambda_=lambda_, residual=self.plan.residual)
            rules = Rules.preset("simplified", size)
            problem = Problem(rules, config, check_games=0, curve_games=0, workers=self.settings.workers)
        key = {"size": size, "lambda": lambda_, "residual": self.plan.residual}
        return Part(f"{size}: λ = {lambda_:g}", key, partial(self._solved, problem))

    def _solved(self, problem: Problem) -> Found:
        found = solve(problem).to_json()
        return {name: found[name] for name in ("size", "lambda", "iterations", "sweeps", "value_of_empty_board")}

    def table(self) -> str:
        lines = [
            [f"{of[0]['lambda']:g}", *(f"**{one['iterations']}** ({one['sweeps']} sweeps)" for one in of)]
            for of in grouped(self.found, "lambda")
        ]
        return markdown(["λ", *dict.fromkeys(one["size"] for one in self.found)], lines)

    def draw(self, path: Path) -> None:
        rows = {
            f"λ = {of[0]['lambda']:g}": {one["size"]: float(one["iterations"]) for one in of}
            for of in grouped(self.found, "lambda")
        }
        dots(rows, "iterations", self.experiment.title, path)
