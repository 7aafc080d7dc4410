"""Players that leave a part of what they do to chance, around one that values placements."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from apprenti.core.errors import BadAgent
from apprenti.core.protocols import AnyAgent, PlaysSome, Stochastic, Valued
from apprenti.core.seeds import Chance, pick
from apprenti.games.tetris.agents.base import TetrisAgent
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation


class NoChance:
    """For who must not draw."""

    def random(self) -> float:
        """Refuse."""
        raise BadAgent("this player leaves moves to chance and cannot say how likely each is: give another one.")


def law(agent: AnyAgent, observation: Observation, legal: Sequence[Placement]) -> Sequence[float]:
    """How likely each placement of an agent is; one that does not say has to choose without chance."""
    if isinstance(agent, Stochastic):
        return agent.probabilities(observation, legal)
    chosen = agent.choose(observation, legal, NoChance())
    return [float(placement == chosen) for placement in legal]


@dataclass(frozen=True)
class EpsilonGreedyAgent(TetrisAgent):
    """Plays as its player, and with probability ε any placement."""

    player: AnyAgent
    epsilon: float

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon <= 1:
            raise BadAgent(f"ε is a probability, from 0 to 1, not {self.epsilon:g}.")

    def check(self, rules: Rules) -> None:
        if isinstance(self.player, PlaysSome):
            self.player.check(rules)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        if rng.random() < self.epsilon:
            return pick(rng, legal)
        return self.player.choose(observation, legal, rng)  # type: ignore[no-any-return]

    def probabilities(self, observation: Observation, legal: Sequence[Placement]) -> list[float]:
        return [self.epsilon / len(legal) + (1 - self.epsilon) * p for p in law(self.player, observation, legal)]


@dataclass(frozen=True)
class SoftmaxAgent(TetrisAgent):
    """Draws placements, each with a probability in proportion to exp(value / temperature)."""

    player: Valued[Observation, Placement]
    temperature: float

    def __post_init__(self) -> None:
        if not (self.temperature > 0 and math.isfinite(self.temperature)):
            raise BadAgent(f"a temperature is above 0, not {self.temperature:g}.")

    def check(self, rules: Rules) -> None:
        if isinstance(self.player, PlaysSome):
            self.player.check(rules)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        left = rng.random()
        for placement, probability in zip(legal, self.probabilities(observation, legal), strict=True):
            left -= probability
            if left < 0:
                return placement
        return legal[-1]

    def probabilities(self, observation: Observation, legal: Sequence[Placement]) -> list[float]:
        values = self.player.values(observation)
        best = max(values.values())
        if best == -math.inf:
            return [1 / len(legal)] * len(legal)
        weights = [math.exp((values[placement] - best) / self.temperature) for placement in legal]
        return [weight / sum(weights) for weight in weights]
