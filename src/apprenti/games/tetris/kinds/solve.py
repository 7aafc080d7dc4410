"""Boards solved exactly: their optima, what players are worth on them, which moves cost a player most, sweeps by λ."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apprenti.arena.statistics import student_interval
from apprenti.core.errors import BadFile
from apprenti.core.protocols import Compiles
from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.lab.value import disagreements, value_of
from apprenti.games.tetris.learn.exact import ExactConfig
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Finding, Kind, Part, Plan, grouped, markdown
from apprenti.lab.kinds.scores import agent_alone, uninterrupted
from apprenti.lab.results import Effort
from apprenti.views.numbers import apart
from apprenti.views.plots import curves, dots


class OnSmallBoards(Kind[Plan]):
    """What the studies of solved boards share: the simplified rules."""

    def problem(self, size: str, config: ExactConfig | None = None) -> Problem:
        """A board to solve, of which no game is played."""
        with blaming(self.where):
            rules, workers = Rules.preset("simplified", size), self.settings.workers
            return Problem(rules, config or ExactConfig(), check_games=0, curve_games=0, workers=workers)

    def draw_parts(self, boards: Mapping[str, Mapping[str, float]], path: Path) -> None:
        """For each board and player the part of the optimum that it reaches."""
        players = next(iter(boards.values()), {})
        named = {name: [[(n, 100 * board[name]) for n, board in enumerate(boards.values())]] for name in players}
        curves(named, "", "% of the optimum", self.experiment.title, path, ticks=list(boards))

    def player(self, name: str, size: str) -> tuple[NamedAgent, Rules]:
        """A player on a board."""
        return agent_alone(self.find, name, "tetris", {"rules": "simplified", "size": size}, self.where)


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


class Solve(OnSmallBoards[File]):
    """Optima, and players as parts of them: a line for each board, and one for each player."""

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
        settings = self.settings
        games = 200 if settings.short else self.plan.check_games
        problem = Problem(rules, check_games=games, curve_games=0, seed=settings.seed, workers=settings.workers)
        name = f"{size}: solving" + (" with overflow clears" if rules.overflow_clears else "")
        return Part(name, {"rules": rules.to_json(), "check_games": games}, lambda: dict(solve(problem).to_json()))

    def _player(self, name: str, size: str) -> Part:
        """A player's mean on a board."""
        games = 100 if self.settings.short else self.plan.games
        agent, rules = self.player(name, size)
        key = {"player": name, "size": size, "games": games}
        return Part(f"{size}: {name}", key, partial(self._play, name, agent, rules, games))

    def _play(self, name: str, agent: NamedAgent, rules: Rules, games: int) -> Finding:
        effort = Effort(games, self.settings.seed, self.settings.workers)
        summary = uninterrupted(agent, rules, effort).summary("lines")
        size = f"{rules.width}x{rules.height}"
        return {"size": size, "player": name, "games": games, "mean": summary.mean, "ci95": list(summary.ci95)}

    def numbers(self) -> list[Finding]:
        boards = []
        for solution, *others in grouped(self.findings, "size"):
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

    def cells(self, finding: Finding) -> list[str]:
        overflow, check = finding.get("overflow"), finding["check"]
        return [
            finding["size"], apart(finding["reachable_walls"]), f"**{finding['value_of_empty_board']:.4f}**",
            f"{check['mean']:.2f} ({check['ci95'][0]:.2f} … {check['ci95'][1]:.2f})",
            f"{overflow['value_of_empty_board']:.4f}" if overflow else "-", f"{finding['seconds']:.1f} s",
            f"{finding['cpu_seconds']:.1f} s", f"{finding['memory_bytes'] / 1e9:.2g} GB",
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
        most = max(map(len, shares.values()), default=0)
        whole = {size: board for size, board in shares.items() if len(board) == most}
        self.draw_parts(whole, path)


@dataclass(frozen=True, kw_only=True)
class PlayersFile:
    """Every one of `players` on every board of `sizes`."""

    players: tuple[str, ...]
    sizes: tuple[str, ...]
    games: int
    """Played beside it, where players are compiled; 0 for none."""


def played(agent: NamedAgent, rules: Rules, effort: Effort) -> tuple[float, float, float]:
    """The mean lines of games, and its 95 % interval by Student's law: low boards' scores are far from exponential."""
    summary = uninterrupted(agent, rules, effort).summary("lines")
    return summary.mean, *student_interval(summary.mean, summary.deviation, summary.games)


class Players(OnSmallBoards[PlayersFile]):
    """Players evaluated exactly, wall by wall, beside the optimum: a line for each player on each board."""

    File = PlayersFile
    headings = (
        "player", "board", "exact value", "of the optimum", "played", "improved once", "walls met",
        "moves that lose lines", "lines lost a game", "what it makes of a wall: 5, 25, 50, 75, 95 %",
    )  # fmt: skip

    def divide(self) -> list[Part]:
        sizes, players = self.settings.first(self.plan.sizes, 1), self.settings.first(self.plan.players)
        return [self._part(name, size) for size in sizes for name in players]

    def _part(self, name: str, size: str) -> Part:
        agent, rules = self.player(name, size)
        games = min(self.plan.games, 100) if self.settings.short else self.plan.games
        with blaming(self.where):
            problem = Problem(Rules.preset("simplified", size), workers=self.settings.workers)
            effort = Effort(games, self.settings.seed, self.settings.workers) if games else None

        def work() -> Finding:
            finding = dict(value_of(agent, problem).to_json())
            return {**finding, "played": list(played(agent, rules, effort)) if effort else None}

        return Part(f"{size}: {name}", {"player": name, "size": size, "games": games}, work)

    def cells(self, finding: Finding) -> list[str]:
        mean, parts = finding["played"], finding["parts_of_walls"].values()
        return [
            finding["player"], finding["size"], f"**{finding['value_of_empty_board']:.4f}**", f"{finding['part']:.1%}",
            "{:.2f} ({:.2f} … {:.2f})".format(*mean) if mean else "-",
            f"{finding['improved']:.4f} ({finding['improved'] / finding['optimum']:.1%})",
            f"{finding['walls_met']} of {finding['walls']}",
            f"{finding['costly_moves']:.1%} of {finding['pieces']:.1f}", f"{finding['lost']:.3f}",
            ", ".join(f"{part:.0%}" for part in parts),
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        boards = {of[0]["size"]: {one["player"]: one["part"] for one in of} for of in grouped(self.findings, "size")}
        self.draw_parts(boards, path)


@dataclass(frozen=True, kw_only=True)
class DisagreementsFile:
    """One `agent` on a board of `size`, of which the worst moves are `shown`."""

    agent: str
    size: str
    games: int
    shown: int
    short_size: str


class Disagreements(OnSmallBoards[DisagreementsFile]):
    """The moves of a player that cost it most of what it lacks of the optimum, with their boards."""

    File = DisagreementsFile
    headings = ("move", "piece", "in 1000 games", "lines lost each time", "lines lost a game")

    def divide(self) -> list[Part]:
        plan = self.plan
        size, games = (plan.short_size, 50) if self.settings.short else (plan.size, plan.games)
        agent, _ = self.player(plan.agent, size)
        if not isinstance(agent.agent, Compiles):
            raise BadFile(f"{self.where}: {agent.name} has no compiled form, which plays the games here.")
        key = {"agent": plan.agent, "size": size, "games": games, "shown": plan.shown}
        work = partial(self._work, agent.agent, self.problem(size), games)
        return [Part(f"{plan.agent} on {size}", key, work)]

    def _work(self, player: Compiles, problem: Problem, games: int) -> Finding:
        """Solve the board, play on it, and look at every move."""
        solution = solve(problem)
        differing = disagreements(player, solution.agent(), games, self.settings.seed)
        about = {"size": problem.size, "optimum": solution.value, "regrets": differing.regrets}
        return {**about, **differing.to_json(self.plan.shown)}

    def numbers(self) -> list[Finding]:
        return [{name: value for name, value in one.items() if name != "regrets"} for one in self.findings]

    def table(self) -> str:
        (finding,) = self.findings
        games, lines, boards = finding["games"], [], []
        for number, one in enumerate(finding["shown"], 1):
            often, lost = 1000 * one["times"] / games, one["regret"] * one["times"] / games
            lines.append([str(number), one["piece"], f"{often:.0f}", f"{one['regret']:.2f}", f"{lost:.3f}"])
            boards.append(f"{number}  the wall, theirs, the best\n\n{one['boards']}")
        lost, optimum = finding["regret"], finding["optimum"]
        words = f"All its moves together lose {lost:.2f} lines a game; the optimum is {optimum:.2f}."
        drawn = "\n\n".join(boards)
        return f"{markdown(self.headings, lines)}\n{words}\n\n```\n{drawn}\n```\n"

    def draw(self, path: Path) -> None:
        (finding,) = self.findings
        lost, points = 0.0, []
        for place, one in enumerate(finding["regrets"], 1):
            lost += one
            points.append((place, lost))
        axes = "different moves, the most expensive first", "lines lost a game, altogether"
        curves({"": [points]}, *axes, self.experiment.title, path, log="x")


@dataclass(frozen=True, kw_only=True)
class IterationsFile:
    """Every λ of `lambdas` on every board of `sizes`, until the residual is that small."""

    sizes: tuple[str, ...]
    lambdas: tuple[float, ...]
    residual: float


class Iterations(OnSmallBoards[IterationsFile]):
    """How many iterations λ-policy iteration needs (thesis, section 2.2.3): a line for each λ."""

    File = IterationsFile

    def divide(self) -> list[Part]:
        sizes = self.settings.first(self.plan.sizes, 1)
        return [self._part(size, lambda_) for size in sizes for lambda_ in self.settings.first(self.plan.lambdas)]

    def _part(self, size: str, lambda_: float) -> Part:
        with blaming(self.where):
            config = ExactConfig("lambda", lambda_=lambda_, residual=self.plan.residual)
        key = {"size": size, "lambda": lambda_, "residual": self.plan.residual}
        return Part(f"{size}: λ = {lambda_:g}", key, partial(self._solved, self.problem(size, config)))

    def _solved(self, problem: Problem) -> Finding:
        finding = solve(problem).to_json()
        return {name: finding[name] for name in ("size", "lambda", "iterations", "sweeps", "value_of_empty_board")}

    def table(self) -> str:
        lines = [
            [f"{of[0]['lambda']:g}", *(f"**{one['iterations']}** ({one['sweeps']} sweeps)" for one in of)]
            for of in grouped(self.findings, "lambda")
        ]
        return markdown(["λ", *dict.fromkeys(one["size"] for one in self.findings)], lines)

    def draw(self, path: Path) -> None:
        rows = {
            f"λ = {of[0]['lambda']:g}": {one["size"]: float(one["iterations"]) for one in of}
            for of in grouped(self.findings, "lambda")
        }
        dots(rows, "iterations", self.experiment.title, path)
