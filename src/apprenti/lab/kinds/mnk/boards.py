"""SARSA on boards of several sizes: how far a table goes, against the random and the perfect player."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

from apprenti.agents.mnk.perfect import PerfectAgent
from apprenti.arena.many import play_many
from apprenti.arena.ratings import counted
from apprenti.core.protocols import Agent
from apprenti.games.mnk.fast.solver import solver_for
from apprenti.games.mnk.game import MNK
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State
from apprenti.lab.kinds.kind import Kind, Report
from apprenti.learn.mnk.sarsa import Sarsa, SarsaConfig
from apprenti.views.plots import strengths


@dataclass(frozen=True)
class Results:
    """Won, drawn and lost games."""

    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        """Points of all there were; a draw is a half."""
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)

    def __str__(self) -> str:
        return f"{self.won} / {self.drawn} / {self.lost}"


def results(agent: Agent, other: Agent, rules: Rules, games: int, seed: int) -> tuple[Results, Results]:
    """What an agent makes of so many games as X, and of as many as O."""
    records = list(play_many(MNK, rules, (agent, other), 2 * games, seed))
    as_x, as_o = (Results(*counted([record.points for record in records if record.first == first])) for first in (0, 1))
    return as_x, as_o


@dataclass(frozen=True)
class OnBoard:
    """What a table has come to on one board."""

    size: str
    value: str
    games: int
    seconds: float
    entries: int
    megabytes: float
    random: float
    as_x: Results
    as_o: Results

    @property
    def shares(self) -> dict[str, float]:
        """Points of all there were: against the random player, and against the perfect one on either side."""
        return {
            "random": self.random,
            "perfect, as X": self.as_x.share,
            "perfect, as O": self.as_o.share,
        }

    def to_json(self) -> dict[str, Any]:
        """Everything that was found."""
        return {**self.__dict__, "as_x": self.as_x.__dict__, "as_o": self.as_o.__dict__}

    def cells(self) -> list[str]:
        """The line of the table."""
        games, entries = (f"{number:,}".replace(",", " ") for number in (self.games, self.entries))
        return [
            self.size, self.value, games, f"{self.seconds:.1f} s", entries, f"{self.megabytes:.1f} MB",
            f"{self.random:.1%}", str(self.as_x), str(self.as_o),
        ]  # fmt: skip


def on_board(config: SarsaConfig, tests: int) -> OnBoard:
    """Learn a board, then meet the random and the perfect player."""
    learner, rules = Sarsa(config), config.rules
    learner.warm_up()
    began = process_time()
    learner.play_until(config.games)
    seconds = process_time() - began
    value = {1: "X wins", 0: "draw", -1: "O wins"}[solver_for(rules).value(State.start(rules))]
    as_x, as_o = results(learner.agent(), PerfectAgent(), rules, tests, config.seed)
    megabytes = (learner.keys.nbytes + learner.values.nbytes) / 1e6
    random = learner.tested()["against_random"]
    return OnBoard(
        rules.size, value, config.games, seconds, int(learner.counts[0]), megabytes, random, as_x, as_o
    )  # fmt: skip


class Boards(Kind):
    """A `[[run]]` for each board and number of games to learn from."""

    needs = ("tests", "run.size", "run.games")
    headings = (
        "board", "perfect play", "games", "core time", "entries", "both tables", "points against random",
        "as X against perfect (won / drawn / lost)", "as O against perfect",
    )  # fmt: skip
    found: list[OnBoard]

    def run(self, report: Report) -> Iterator[None]:
        """Every board with every number of games."""
        short, rows = self.settings.short, self.settings.first(self.data["run"])
        for done, row in enumerate(rows):
            config = SarsaConfig(seed=self.settings.seed, **self.data.get("config", {}))
            config = replace(config, size=row["size"], iterations=1, episodes=500 if short else row["games"])
            config = replace(config, test_games=100) if short else config
            report(done / len(rows), f"{config.size}, {config.games:,} games")
            self.found.append(on_board(config, 4 if short else self.data["tests"]))
            yield

    def draw(self, path: Path) -> None:
        """The points against the random and the perfect player."""
        shares = {f"{row.size}, {row.games:,} games".replace(",", " "): row.shares for row in self.found}
        strengths(shares, self.experiment.title, path)
