"""Measure an agent: many games, and how sure the result is."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

from apprenti.arena.game import Played
from apprenti.arena.many import compiled_player, cores, play_many
from apprenti.arena.statistics import Summary, as_json, summarise
from apprenti.core.errors import BadAgent, BadOption
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import Known

Watcher = Callable[["Evaluation"], None]

MOST_GAMES = 100_000
"""A wanted precision that is not reached by then is given up: perhaps no game can end."""


@dataclass(frozen=True)
class Effort:
    """How many games, from which seed, on how many cores, and when it is enough."""

    games: int = 100
    seed: int = 1
    workers: int = 0
    """Cores to use; 0 for all."""
    precision: float = 0.0
    """Go on until the interval's half-width is this part of the mean; 0 to play just `games`."""
    seconds: float = 0.0
    """Stop after this time; the games under way count as cut short. 0 for no limit."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise BadOption(f"--games is at least 1, not {self.games}.")
        if not 0 <= self.precision < 1:
            raise BadOption(f"--precision is a part of the mean, like 0.05, not {self.precision:g}.")
        if not 0 <= self.workers <= 256:
            raise BadOption(f"--workers is a number of cores from 1 to 256, or 0 for all, not {self.workers}.")

    @property
    def cores(self) -> int:
        """Cores that will be used."""
        return self.workers or cores()


@dataclass
class Evaluation:
    """What is known of an agent so far."""

    name: str
    rules: Rules
    effort: Effort
    engine: str
    games: list[Played] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    _next_look: int = 30

    @property
    def deaths(self) -> int:
        """Games ended by the rules."""
        return sum(game.died for game in self.games)

    def summary(self, unit: str = "lines") -> Summary:
        """Statistics of `lines`, `points` or `pieces`."""
        return summarise([getattr(game.tally, unit) for game in self.games], self.deaths)

    @property
    def unit(self) -> str:
        """What these rules count: points where points are more than lines."""
        return "lines" if self.rules.points == "lines" else "points"

    def is_precise(self) -> bool:
        """Whether the wanted precision is reached; it is computed only now and then."""
        if not self.effort.precision or len(self.games) < self._next_look:
            return False
        self._next_look = int(len(self.games) * 1.1) + 1
        return self.summary(self.unit).half_width <= self.effort.precision

    def to_json(self) -> dict[str, Any]:
        """Everything that belongs beside a score."""
        lines, points, pieces = (self.summary(unit) for unit in ("lines", "points", "pieces"))
        seconds = max(self.seconds, 1e-9)
        clears = [sum(game.tally.clears[size] for game in self.games) for size in range(4)]
        return {
            "agent": self.name,
            "rules": self.rules.description,
            "ties": "lowest rotation, then leftmost column, unless the agent draws",
            "games": lines.games,
            "deaths": self.deaths,
            "mean_lines": as_json(lines)["mean"],
            "ci95": as_json(lines)["ci95"],
            "pieces": int(pieces.total),
            "lines": int(lines.total),
            "points": int(points.total),
            "clears": clears,
            "seconds": self.seconds,
            "lines_per_second": lines.total / seconds,
            "pieces_per_second": pieces.total / seconds,
            "seconds_per_move": sum(game.seconds for game in self.games) / max(1.0, pieces.total),
            "seed": self.effort.seed,
            "workers": self.effort.cores,
            "engine": self.engine,
            "interrupted": self.interrupted,
            "statistics": {"lines": as_json(lines), "points": as_json(points), "pieces": as_json(pieces)},
        }


def check_fit(known: Known, rules: Rules) -> None:
    """Refuse what cannot be played, before anything starts."""
    agent = known.agent
    if getattr(agent, "look", "") == "next_piece" and not rules.preview:
        raise BadAgent(f"{known.name} must know the next piece, and these rules hide it: add --preview.")
    if hasattr(agent, "check_fit"):
        agent.check_fit(rules)
    if hasattr(agent, "weights"):
        from apprenti.games.tetris.weights import check

        check(agent.weights, rules.width)


def warm_up(known: Known, rules: Rules) -> None:
    """Compile before the clock starts."""
    player = compiled_player(known.agent, rules)
    if player is not None:
        from apprenti.games.tetris.fast.players import play

        play(replace(rules, max_pieces=1), player, [(1, 1)])


def evaluate(
    known: Known, rules: Rules, effort: Effort, watch: Watcher | None = None, keep_moves: int = 0
) -> Evaluation:
    """Play until the number of games, or the precision, is reached. Ctrl-C keeps what has been played."""
    check_fit(known, rules)
    engine = "readable" if compiled_player(known.agent, rules) is None else "compiled"
    evaluation = Evaluation(known.name, rules, effort, engine)
    warm_up(known, rules)
    began = perf_counter()
    limit = max(effort.games, MOST_GAMES) if effort.precision else effort.games
    deadline = began + effort.seconds if effort.seconds else None
    games = play_many(known.agent, rules, limit, effort.seed, effort.cores, keep_moves, deadline)
    try:
        for played in games:
            evaluation.games.append(played)
            evaluation.seconds = perf_counter() - began
            if watch:
                watch(evaluation)
            if evaluation.is_precise():
                break
    except KeyboardInterrupt:
        evaluation.interrupted = True
    evaluation.seconds = perf_counter() - began
    return evaluation
