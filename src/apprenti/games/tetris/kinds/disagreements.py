"""The moves of a player that cost it most of what it lacks of the optimum, with their boards."""

from dataclasses import dataclass
from pathlib import Path

from apprenti.core.errors import BadFile
from apprenti.core.protocols import Compiles
from apprenti.games.tetris.lab.disagreements import disagreements
from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.rules import Rules
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, markdown
from apprenti.lab.kinds.scores import agent_alone
from apprenti.views.plots import losses


@dataclass(frozen=True, kw_only=True)
class File:
    """One `agent` on a board of `size`, of which the worst moves are `shown`."""

    agent: str
    size: str
    games: int
    shown: int
    short_size: str


class Disagreements(Kind[File]):
    """A line for each of the moves that are shown."""

    File = File
    headings = ("move", "piece", "in 1000 games", "lines lost each time", "lines lost a game")

    def divide(self) -> list[Part]:
        plan, short = self.plan, self.settings.short
        size, games = (plan.short_size, 50) if short else (plan.size, plan.games)
        agent, _ = agent_alone(self.find, plan.agent, "tetris", {"rules": "simplified", "size": size}, self.where)
        player = agent.agent
        if not isinstance(player, Compiles):
            raise BadFile(f"{self.where}: {agent.name} has no compiled form, which plays the games here.")
        with blaming(self.where):
            problem = Problem(
                Rules.preset("simplified", size), check_games=0, curve_games=0, workers=self.settings.workers
            )

        def work() -> Found:
            """Solve the board, play on it, and look at every move."""
            solution = solve(problem)
            found = disagreements(player, solution.agent(), games, self.settings.seed)
            return {"size": size, "optimum": solution.value, "regrets": found.regrets, **found.to_json(plan.shown)}

        return [
            Part(
                f"{plan.agent} on {size}",
                {"agent": plan.agent, "size": size, "games": games, "shown": plan.shown},
                work,
            )
        ]

    def numbers(self) -> list[Found]:
        return [{name: value for name, value in one.items() if name != "regrets"} for one in self.found]

    def table(self) -> str:
        (found,) = self.found
        games, lines, boards = found["games"], [], []
        for number, one in enumerate(found["shown"], 1):
            often, lost = 1000 * one["times"] / games, one["regret"] * one["times"] / games
            lines.append([str(number), one["piece"], f"{often:.0f}", f"{one['regret']:.2f}", f"{lost:.3f}"])
            boards.append(f"{number}  the wall, theirs, the best\n\n{one['boards']}")
        told = f"All its moves together lose {found['regret']:.2f} lines a game; the optimum is {found['optimum']:.2f}."
        drawn = "\n\n".join(boards)
        return f"{markdown(self.headings, lines)}\n{told}\n\n```\n{drawn}\n```\n"

    def draw(self, path: Path) -> None:
        (found,) = self.found
        losses(found["regrets"], self.experiment.title, path)
