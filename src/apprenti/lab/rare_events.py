"""Measure an agent whose games hardly ever end, by splitting instead of waiting."""

import math
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from apprenti.arena.splitting import LEAST_REPETITIONS, Levels, NotRare, Splitting, split
from apprenti.arena.statistics import Summary, as_json
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyRules
from apprenti.core.rare_events import Process, Splits
from apprenti.lab.agents import NamedAgent
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.results import Effort, OnGame
from apprenti.store.files import read_json, write_json

PRECISION = 0.05
"""What is aimed at when nothing is said: half of the interval as a part of the mean."""
EVERY = 5.0
"""Seconds after which what is known is stored again."""
UNKNOWN = (math.nan,) * 5

OnRepetition = Callable[["RareEvaluation"], None]
"""Told of a measurement after every repetition."""


@dataclass
class RareEvaluation:
    """What is known of an agent so far."""

    game: AnyGame
    rules: AnyRules
    name: str
    effort: Effort
    splitting: Splitting
    seconds: float = 0.0
    interrupted: bool = False
    engine: str = "compiled, split"

    @property
    def unit(self) -> str:
        """What these rules count."""
        return self.game.unit(self.rules)

    @property
    def games(self) -> int:
        """Repetitions of the whole splitting; no game was played from its beginning to its end."""
        return len(self.splitting.repetitions)

    @property
    def moves(self) -> int:
        """Moves made."""
        return self.splitting.moves

    @property
    def mean(self) -> float:
        """The mean score of a game."""
        return self.splitting.mean(self.unit)

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return self.splitting.interval(self.unit)

    @property
    def part_done(self) -> float:
        """How much of the work is done: the half-width goes down with the root of the repetitions."""
        width = self.splitting.half_width(self.unit)
        narrow = (self.effort.precision / width) ** 2 if width else 1.0
        return min(1.0, narrow, self.games / LEAST_REPETITIONS)

    def summary(self, unit: str = "") -> Summary:
        """Mean and interval of what is counted; of single games nothing is known."""
        unit, games = unit or self.unit, self.games
        mean, ci95 = self.splitting.mean(unit), self.splitting.interval(unit)
        ends = games if math.isfinite(mean) else 0
        return Summary(games, ends, math.nan, mean, math.nan, UNKNOWN, ci95)

    def to_json(self) -> JsonObject:
        """Everything that belongs beside the score, under the same names as that of an agent that was played."""
        splitting = self.splitting
        measures = splitting.repetitions[0].measures if splitting.repetitions else {}
        statistics = {name: as_json(self.summary(name)) for name in measures}
        means = {f"mean_{name}": summary["mean"] for name, summary in statistics.items()}
        return {
            "agent": self.name,
            "game": self.game.name,
            "rules": self.game.rules_to_json(self.rules),
            "description": self.game.describe(self.rules),
            "note": self.game.note(self.rules),
            **means,
            "ci95": statistics[next(iter(measures))]["ci95"] if statistics else None,
            "statistics": statistics,
            "repetitions": self.games,
            "levels": list(splitting.levels.levels),
            "trials": list(splitting.levels.trials),
            "shares": [list(one.shares) for one in splitting.repetitions],
            "moves": self.moves,
            "seconds": self.seconds,
            "seed": self.effort.seed,
            "workers": self.effort.cores,
            "engine": self.engine,
            "interrupted": self.interrupted,
        }


@dataclass(frozen=True)
class RepetitionFile:
    """The repetitions of a measurement in a file, so that nothing is computed twice after an interruption."""

    path: Path | None = None

    def read(self) -> tuple[Splitting | None, float]:
        """What is known, and the seconds it took."""
        if self.path is None or not self.path.exists():
            return None, 0.0
        data = read_json(self.path, "the repetitions of a measurement")
        return Splitting.from_json(data), float(data["seconds"])

    def write(self, evaluation: RareEvaluation) -> None:
        """Store what is known."""
        if self.path is not None and evaluation.games:
            write_json(self.path, {**evaluation.splitting.to_json(), "seconds": evaluation.seconds})


def evaluate_rare(
    agent: NamedAgent,
    rules: AnyRules,
    effort: Effort,
    on_repetition: OnRepetition | None = None,
    on_game: OnGame | None = None,
    stored: RepetitionFile | None = None,
) -> RareEvaluation | Evaluation:
    """The mean score of an agent by splitting; by playing, if its games end soon. Ctrl-C keeps what is known."""
    effort, stored = replace(effort, precision=effort.precision or PRECISION), stored or RepetitionFile()
    process = process_of(agent, rules)
    known, before = stored.read()
    evaluation = RareEvaluation(agent.game, rules, agent.name, effort, known or Splitting(Levels((), ())))
    try:
        _split(process, evaluation, known, before, on_repetition, stored)
    except NotRare:
        return evaluate(agent, rules, effort, on_game)
    except KeyboardInterrupt:
        evaluation.interrupted = True
    stored.write(evaluation)
    return evaluation


def _split(
    process: Process,
    evaluation: RareEvaluation,
    known: Splitting | None,
    before: float,
    on_repetition: OnRepetition | None,
    stored: RepetitionFile,
) -> None:
    """Repeat until it is precise enough, and tell and store it."""
    effort, began = evaluation.effort, perf_counter() - before
    last = perf_counter()
    with closing(split(process, effort.seed, effort.cores, effort.precision, evaluation.unit, known)) as steps:
        for evaluation.splitting in steps:
            evaluation.seconds = perf_counter() - began
            if on_repetition:
                on_repetition(evaluation)
            if perf_counter() - last > EVERY:
                last = perf_counter()
                stored.write(evaluation)
            if 0 < effort.seconds < evaluation.seconds:
                break


def process_of(agent: NamedAgent, rules: AnyRules) -> Process:
    """The game of an agent as a process that can be split; refused with a sentence where it cannot be one."""
    agent.check(agent.game, rules)
    process = agent.game.process(rules, agent.agent) if isinstance(agent.game, Splits) else None
    if process is None:
        raise BadAgent(
            f"{agent.name} cannot be measured by --rare: that is for games that can be split, and for players "
            "whose moves the compiled engine chooses (weighted sums, networks, tables of values); leave --rare out."
        )
    return process
