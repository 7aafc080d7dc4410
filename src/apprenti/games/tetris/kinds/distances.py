"""Players evaluated exactly on small boards: what each is worth, wall by wall, beside the optimum."""

from dataclasses import dataclass
from pathlib import Path

from apprenti.arena.statistics import student_interval
from apprenti.games.tetris.lab.solve import Problem
from apprenti.games.tetris.lab.value import value_of
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, grouped
from apprenti.lab.kinds.scores import agent_alone, uninterrupted
from apprenti.lab.results import Effort
from apprenti.views.plots import parts_by_board


@dataclass(frozen=True, kw_only=True)
class File:
    """Every one of `players` on every board of `sizes`."""

    players: tuple[str, ...]
    sizes: tuple[str, ...]
    games: int
    """Played beside it, where players are compiled; 0 for none."""


def played(agent: NamedAgent, rules: Rules, effort: Effort) -> tuple[float, float, float]:
    """The mean lines of games, and its 95 % interval by Student's law: low boards' scores are far from exponential."""
    found = uninterrupted(agent, rules, effort).summary("lines")
    return found.mean, *student_interval(found.mean, found.deviation, found.games)


class Distances(Kind[File]):
    """A line for each player on each board."""

    File = File
    headings = (
        "player", "board", "exact value", "of the optimum", "played", "improved once", "walls met",
        "moves that lose lines", "lines lost a game", "what it makes of a wall: 5, 25, 50, 75, 95 %",
    )  # fmt: skip

    def divide(self) -> list[Part]:
        sizes, players = self.settings.first(self.plan.sizes, 1), self.settings.first(self.plan.players)
        return [self._part(name, size) for size in sizes for name in players]

    def _part(self, name: str, size: str) -> Part:
        agent, rules = agent_alone(self.find, name, "tetris", {"rules": "simplified", "size": size}, self.where)
        games = min(self.plan.games, 100) if self.settings.short else self.plan.games
        with blaming(self.where):
            problem = Problem(Rules.preset("simplified", size), workers=self.settings.workers)
            effort = Effort(games, self.settings.seed, self.settings.workers) if games else None

        def work() -> Found:
            found = dict(value_of(agent, problem).to_json())
            return {**found, "played": list(played(agent, rules, effort)) if effort else None}

        return Part(f"{size}: {name}", {"player": name, "size": size, "games": games}, work)

    def cells(self, found: Found) -> list[str]:
        mean, parts = found["played"], found["parts_of_walls"].values()
        return [
            found["player"], found["size"], f"**{found['value_of_empty_board']:.4f}**", f"{found['part']:.1%}",
            "{:.2f} ({:.2f} … {:.2f})".format(*mean) if mean else "-",
            f"{found['improved']:.4f} ({found['improved'] / found['optimum']:.1%})",
            f"{found['walls_met']} of {found['walls']}", f"{found['costly_moves']:.1%} of {found['pieces']:.1f}",
            f"{found['lost']:.3f}", ", ".join(f"{part:.0%}" for part in parts),
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        boards = {of[0]["size"]: {one["player"]: one["part"] for one in of} for of in grouped(self.found, "size")}
        parts_by_board(boards, self.experiment.title, path)
