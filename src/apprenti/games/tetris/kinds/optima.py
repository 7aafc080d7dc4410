"""Boards solved exactly, and the players of the zoo as parts of the optimum."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, grouped, markdown
from apprenti.lab.kinds.scores import agent_alone, uninterrupted
from apprenti.lab.results import Effort
from apprenti.views.plots import parts_by_board


@dataclass(frozen=True, kw_only=True)
class File:
    """Boards of `sizes`, those of `overflow` with overflow clears, too."""

    sizes: tuple[str, ...]
    overflow: tuple[str, ...] = ()
    check_games: int
    """Games of the optimal player on each board."""
    players: tuple[str, ...]
    games: int
    """Of each of them on each board."""


class Optima(Kind[File]):
    """A line for each board, and one for each player."""

    File = File
    headings = ("board", "reachable walls", "optimum", "played", "with overflow clears", "time", "core time", "memory")

    def divide(self) -> list[Part]:
        return [part for size in self.settings.first(self.plan.sizes) for part in self._board(size)]

    def _board(self, size: str) -> list[Part]:
        with blaming(self.where):
            rules = Rules.preset("simplified", size)
        parts = [self._solution(rules, size)]
        if size in self.plan.overflow:
            parts.append(self._solution(Rules.preset("overflow", size), size))
        players = [] if why_not(rules) else self.settings.first(self.plan.players)
        return parts + [self._player(name, size) for name in players]

    def _solution(self, rules: Rules, size: str) -> Part:
        """A board as `apprenti solve --json` has it."""
        games, seed, workers = (
            200 if self.settings.short else self.plan.check_games,
            self.settings.seed,
            self.settings.workers,
        )
        problem = Problem(rules, check_games=games, curve_games=0, seed=seed, workers=workers)
        said = f"{size}: solving" + (" with overflow clears" if rules.overflow_clears else "")
        return Part(said, {"rules": rules.to_json(), "check_games": games}, lambda: dict(solve(problem).to_json()))

    def _player(self, name: str, size: str) -> Part:
        """A player's mean on a board."""
        games = 100 if self.settings.short else self.plan.games
        agent, rules = agent_alone(self.find, name, "tetris", {"rules": "simplified", "size": size}, self.where)
        key = {"player": name, "size": size, "games": games}
        return Part(f"{size}: {name}", key, partial(self._play, name, agent, rules, games))

    def _play(self, name: str, agent: NamedAgent, rules: Rules, games: int) -> Found:
        effort = Effort(games, self.settings.seed, self.settings.workers)
        summary = uninterrupted(agent, rules, effort).summary("lines")
        size = f"{rules.width}x{rules.height}"
        return {"size": size, "player": name, "games": games, "mean": summary.mean, "ci95": list(summary.ci95)}

    def numbers(self) -> list[Found]:
        boards = []
        for solution, *others in grouped(self.found, "size"):
            players = [{name: one[name] for name in one if name != "size"} for one in others if "player" in one]
            overflow = [
                {name: one[name] for name in ("reachable_walls", "value_of_empty_board", "seconds")}
                for one in others
                if "player" not in one
            ]
            boards.append({**solution, **({"overflow": overflow[0]} if overflow else {}), "players": players})
        return boards

    def shares(self) -> dict[str, dict[str, float]]:
        """Board → player → part of the optimum, of the boards that players can play."""
        return {
            board["size"]: {one["player"]: one["mean"] / board["value_of_empty_board"] for one in board["players"]}
            for board in self.numbers()
            if board["players"]
        }

    def cells(self, found: Found) -> list[str]:
        overflow, check = found.get("overflow"), found["check"]
        return [
            found["size"], f"{found['reachable_walls']:,}".replace(",", " "),
            f"**{found['value_of_empty_board']:.4f}**",
            f"{check['mean']:.2f} ({check['ci95'][0]:.2f} … {check['ci95'][1]:.2f})",
            f"{overflow['value_of_empty_board']:.4f}" if overflow else "-", f"{found['seconds']:.1f} s",
            f"{found['cpu_seconds']:.1f} s", f"{found['memory_bytes'] / 1e9:.2g} GB",
        ]  # fmt: skip

    def table(self) -> str:
        shares = self.shares()
        players = dict.fromkeys(name for board in shares.values() for name in board)
        lines = [
            [name, *(f"{board[name]:.1%}" if name in board else "-" for board in shares.values())] for name in players
        ]
        return super().table() + "\n" + markdown(["player", *shares], lines)

    def draw(self, path: Path) -> None:
        shares = self.shares()
        most = max((len(board) for board in shares.values()), default=0)
        parts_by_board(
            {size: board for size, board in shares.items() if len(board) == most}, self.experiment.title, path
        )
