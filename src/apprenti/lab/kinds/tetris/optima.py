"""Boards solved exactly, and the players of the zoo as parts of the optimum."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import evaluate
from apprenti.lab.kinds.kind import Kind, Report, markdown
from apprenti.lab.tetris.solve import Problem, solve
from apprenti.store.files import read_json, write_json
from apprenti.views.plots import parts_by_board

Found = dict[str, Any]


@dataclass(frozen=True)
class Workshop:
    """Where boards are solved and played. What is in the folder already is taken from there: it took long enough."""

    folder: Path
    seed: int
    workers: int
    say: Callable[[str], None]

    def _once(self, name: str, make: Callable[[], Found]) -> Found:
        path = self.folder / f"{name}-seed-{self.seed}.json"
        if not path.exists():
            write_json(path, make())
        return read_json(path, "a result of this experiment")

    def solution(self, rules: Rules, check_games: int) -> Found:
        """A board as `apprenti solve --json` has it."""
        problem = Problem(rules, check_games=check_games, curve_games=0, seed=self.seed, workers=self.workers)
        self.say("solving" + (" with overflow clears" if rules.overflow_clears else ""))
        return self._once(f"{problem.name}-{check_games}", lambda: solve(problem).to_json())

    def score(self, name: str, rules: Rules, games: int) -> Found:
        """A player's mean on a board."""
        self.say(name)
        board = f"{rules.width}x{rules.height}-{name.replace(':', '-')}-{games}"
        return self._once(board, lambda: self._played(name, rules, games))

    def _played(self, name: str, rules: Rules, games: int) -> Found:
        evaluation = evaluate(find(name), rules, Effort(games, self.seed, self.workers))
        if evaluation.interrupted:
            raise KeyboardInterrupt
        summary = evaluation.summary("lines")
        return {"player": name, "games": games, "mean": summary.mean, "ci95": list(summary.ci95)}


def board_of(data: dict[str, Any], size: str, short: bool, workshop: Workshop) -> Found:
    """A board, its optimum with overflow clears off and on, and the players' means."""
    check, games = (200, 100) if short else (data["check_games"], data["games"])
    rules = Rules.preset("simplified", size)
    found = workshop.solution(rules, check)
    if size in data["overflow"]:
        overflow = workshop.solution(Rules.preset("overflow", size), check)
        found["overflow"] = {key: overflow[key] for key in ("reachable_walls", "value_of_empty_board", "seconds")}
    players = [] if why_not(rules) else data["players"][: 2 if short else None]
    return {**found, "players": [workshop.score(name, rules, games) for name in players]}


def line_of(board: Found) -> list[str]:
    """A board's line of the first table."""
    overflow, check = board.get("overflow"), board["check"]
    return [
        board["size"],
        f"{board['reachable_walls']:,}".replace(",", " "),
        f"**{board['value_of_empty_board']:.4f}**",
        f"{check['mean']:.2f} ({check['ci95'][0]:.2f} … {check['ci95'][1]:.2f})",
        f"{overflow['value_of_empty_board']:.4f}" if overflow else "-",
        f"{board['seconds']:.1f} s",
        f"{board['cpu_seconds']:.1f} s",
        f"{board['memory_bytes'] / 1e9:.2g} GB",
    ]


def parts_of(board: Found) -> dict[str, float]:
    """What each player reaches of the optimum."""
    return {score["player"]: score["mean"] / board["value_of_empty_board"] for score in board["players"]}


class Optima(Kind):
    """Boards of `sizes`, those of `overflow` with overflow clears, too."""

    needs = ("sizes", "overflow", "check_games", "players", "games")
    headings = ("board", "reachable walls", "optimum", "played", "with overflow clears", "time", "core time", "memory")
    found: list[Found]

    def run(self, report: Report) -> Iterator[None]:
        """Solve every board and let the players play there."""
        sizes, settings = self.settings.first(self.data["sizes"]), self.settings

        def say(part: float, size: str, words: str) -> None:
            report(part, f"{size}: {words}")

        for done, size in enumerate(sizes):
            saying = partial(say, done / len(sizes), size)
            workshop = Workshop(self.folder / "solved", settings.seed, settings.workers, saying)
            self.found.append(board_of(self.data, size, settings.short, workshop))
            yield

    def parts(self) -> dict[str, dict[str, float]]:
        """Board → player → part of the optimum, of the boards that players can play."""
        return {board["size"]: parts_of(board) for board in self.found if board["players"]}

    def numbers(self) -> list[Found]:
        """Every board."""
        return self.found

    def table(self) -> str:
        """One of the boards, and one of the players."""
        parts = self.parts()
        players = list(next(iter(parts.values())))
        lines = [[name, *(f"{parts[size][name]:.1%}" for size in parts)] for name in players]
        boards = markdown(self.headings, [line_of(board) for board in self.found])
        return boards + "\n" + markdown(["player", *parts], lines)

    def draw(self, path: Path) -> None:
        """The parts, board by board."""
        parts_by_board(self.parts(), self.experiment.title, path)
