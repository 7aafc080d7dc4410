"""Measure an agent whose games hardly ever end, by splitting instead of waiting."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from apprenti.arena.splitting import NotRare, Splitting, split
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import Game, Rules
from apprenti.core.rare_events import Process, Splits
from apprenti.lab.agents import NamedAgent
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.results import OnGame

PRECISION = 0.05
"""What is aimed at when nothing is said: half of the interval as a part of the mean."""
ENOUGH = 400
"""Games of an agent whose games end soon; ± 10 %."""


@dataclass
class RareEvaluation:
    """What is known of an agent so far."""

    game: Game
    rules: Rules
    name: str
    effort: Effort
    splitting: Splitting
    seconds: float = 0.0
    interrupted: bool = False
    engine: str = "compiled, split"

    @property
    def unit(self) -> str:
        """What is counted."""
        return "lines"

    @property
    def games(self) -> int:
        """Repetitions of the whole splitting; no game was played from its beginning to its end."""
        return len(self.splitting.repetitions)

    @property
    def mean(self) -> float:
        """The mean score of a game."""
        return self.splitting.mean

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return self.splitting.interval

    def to_json(self) -> dict[str, Any]:
        """Everything that belongs beside the score."""
        low, high = self.interval
        return {
            "agent": self.name,
            "game": self.game.name,
            "rules": self.game.rules_to_json(self.rules),
            "description": self.game.describe(self.rules),
            "note": self.game.note(self.rules),
            "mean_lines": self.mean,
            "ci95": [low, high if high < float("inf") else None],
            "repetitions": self.games,
            "levels": list(self.splitting.levels),
            "shares": [list(one.shares) for one in self.splitting.repetitions],
            "pieces": self.splitting.moves,
            "seconds": self.seconds,
            "seed": self.effort.seed,
            "workers": self.effort.cores,
            "engine": self.engine,
            "interrupted": self.interrupted,
        }


def evaluate_rare(
    agent: NamedAgent, rules: Rules, effort: Effort, on_repetition: OnGame | None = None
) -> RareEvaluation | Evaluation:
    """The mean score of an agent by splitting; by playing, if its games end soon. Ctrl-C keeps what is known."""
    agent.check(agent.game, rules)
    precision, began = effort.precision or PRECISION, perf_counter()
    found = RareEvaluation(agent.game, rules, agent.name, effort, Splitting(()))
    try:
        for splitting in split(lambda: _process(agent, rules), effort.seed, effort.cores, precision):
            found.splitting, found.seconds = splitting, perf_counter() - began
            if on_repetition:
                on_repetition(found)
    except NotRare:
        return evaluate(agent, rules, Effort(ENOUGH, effort.seed, effort.workers, effort.precision), on_repetition)
    except KeyboardInterrupt:
        found.interrupted = True
    found.seconds = perf_counter() - began
    return found


def _process(agent: NamedAgent, rules: Rules) -> Process:
    process = agent.game.process(rules, agent.agent) if isinstance(agent.game, Splits) else None
    if process is None:
        raise BadAgent(
            f"{agent.name} cannot be measured by --rare: that is for players of Tetris that the kernel knows as a "
            "weighted sum of criteria; leave it out, or limit the games with --max-pieces."
        )
    return process
