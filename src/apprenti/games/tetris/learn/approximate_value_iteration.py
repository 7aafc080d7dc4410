"""Approximate value iteration (Tsitsiklis & Van Roy 1996), by least squares.

Each iteration plays games with the greedy player of V. At every wall it meets, Bellman's equation says what V should
be: the mean over the seven pieces of the best lines + γ V(next wall). The next V is the weighted sum of criteria
nearest to these numbers. Where λ-policy iteration at λ = 0 takes the one piece that was dealt, this takes the mean
over all.

Their value function has two criteria, the height of the wall and its holes.
"""

from dataclasses import dataclass

from apprenti.games.tetris.learn.normal_equations import End, Sums
from apprenti.games.tetris.learn.value_function import Seeds, ValueConfig, ValueLearner
from apprenti.learn.learner import positive


@dataclass(frozen=True, kw_only=True)
class ApproximateValueIterationConfig(ValueConfig):
    """Approximate value iteration: a linear value function is fitted to its own Bellman backups."""

    criteria: str = "tsitsiklis"
    """A set (tsitsiklis, bertsekas, dellacherie, …), or names of criteria with commas."""
    initial_weights: tuple[float, ...] = ()
    """Weights to begin with, one for each component; none for max_height −10, holes −1 and 0 for the others."""
    episodes: int = 100
    """M: games of the greedy player to learn from in each iteration."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "episodes")


class ApproximateValueIteration(ValueLearner[ApproximateValueIterationConfig]):
    """The learner."""

    Config = ApproximateValueIterationConfig
    name = "approximate-value-iteration"
    start = {"max_height": -10.0, "holes": -1.0}  # noqa: RUF012

    def __init__(self, config: ApproximateValueIterationConfig) -> None:
        super().__init__(config)
        self.recorder.odds()  # refuses pieces that depend on those before

    def sums(self) -> Sums:
        config, weights, objective = self.config, self.weights(), self.objective
        end: End = "avoided" if config.avoid_death or self.iteration == 0 else "nothing"

        def record(seeds: Seeds) -> Sums:
            return self.recorder.backups(
                weights, seeds, config.gamma, end=end, max_pieces=config.max_pieces, stop=objective.stop
            )

        return self.add_up(record, self.seeds(config.episodes))
