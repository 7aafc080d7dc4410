"""Approximate λ-policy iteration (Bertsekas & Ioffe 1996; thesis, section 2.2.4).

The value of a wall is a weighted sum of criteria, V = r·φ. Each iteration plays M games with the greedy player of V and
moves r, by least squares, towards V plus the temporal differences that the games showed (equations 2.9 to 2.11). λ = 0
is approximate value iteration, λ = 1 approximate policy iteration. A dead wall is worth 0.

`--historic` brings back the error the thesis found (2.14 and 2.15): the dead wall is valued by its criteria, like any
other. It explains the "intriguing phenomenon" of Bertsekas and Ioffe, whose player learned and then forgot.
"""

from dataclasses import dataclass

import numpy as np

from apprenti.core.errors import BadOption
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.learn.normal_equations import End, Sums
from apprenti.games.tetris.learn.value_function import Seeds, ValueConfig, ValueLearner
from apprenti.learn.learner import positive, share


@dataclass(frozen=True, kw_only=True)
class LambdaPolicyIterationConfig(ValueConfig):
    """λ-policy iteration: a linear value function follows the temporal differences of its own greedy player."""

    criteria: str = "bertsekas"
    """A set (bertsekas, dellacherie, bcts, …), or names of criteria with commas."""
    initial_weights: tuple[float, ...] = ()
    """Weights to begin with, one for each component; none for max_height −10, holes −1 and 0 for the others."""
    episodes: int = 100
    """M: games of the greedy player to learn from in each iteration."""
    lam: float = 0.3
    """λ: 0 looks one move ahead and then trusts V, 1 trusts only whole games."""
    random_start: bool = False
    """First weights drawn by the seed, each from a standard normal law (thesis, section 2.4.2)."""
    historic: bool = False
    """Bertsekas and Ioffe's error: the dead wall is worth what its criteria say, and not 0."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")
        share(self, "lam")
        if self.random_start and self.initial_weights:
            raise BadOption("--random-start draws the first weights: leave out --initial-weights.")


class LambdaPolicyIteration(ValueLearner[LambdaPolicyIterationConfig]):
    """The learner."""

    Config = LambdaPolicyIterationConfig
    name = "lambda-policy-iteration"
    start = {"max_height": -10.0, "holes": -1.0}  # noqa: RUF012

    def __init__(self, config: LambdaPolicyIterationConfig) -> None:
        super().__init__(config)
        if config.random_start:
            self.vector = np.random.default_rng(seed_of(config.seed, self.name, "start")).normal(size=self.layout.size)
            self.best = self.best[0], self.vector

    @property
    def end(self) -> End:
        """What the end of a game is to the player. The first weights are no values yet: their player avoids it."""
        if self.config.avoid_death or self.iteration == 0:
            return "avoided"
        return "criteria" if self.config.historic else "nothing"

    def sums(self) -> Sums:
        config, weights, end, stop = self.config, self.weights(), self.end, self.objective

        def record(seeds: Seeds) -> Sums:
            return self.recorder.differences(
                weights, seeds, config.lam, config.gamma, historic=config.historic, end=end,
                max_pieces=config.max_pieces, stop=stop.stop,
            )  # fmt: skip

        return self.add_up(record, self.seeds(config.episodes))
