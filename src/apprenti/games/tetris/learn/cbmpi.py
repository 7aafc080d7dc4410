"""Classification-based modified policy iteration (Scherrer, Ghavamzadeh, Gabillon, Lesner & Geist 2015).

A step improves a policy π (a weight for each criterion of a placement) and a value function V (a weight for each
criterion of a wall) together. In N states it tries every placement, plays m moves more with π and adds V of where it
stands then: Q̂ (equation 10). The next policy is a classifier: the weights that lose least, Σ max Q̂ − Q̂(π(s))
(equation 11), found by CMA-ES; no game is played for that. V follows by least squares from rollouts of m moves
(equations 7 and 8).

The placements of one state meet the same pieces after it, so that luck does not tell them apart. The policies swing
about a good one; their mean is steadier than any of them.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apprenti.core.data import JsonData, SavedState
from apprenti.core.errors import BadOption
from apprenti.core.seeds import Stream, seed_of
from apprenti.games.tetris.agents.described import weights_in
from apprenti.games.tetris.criteria import CRITERIA, size_of
from apprenti.games.tetris.fast.batch import Batch, Ints
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.fast.tables import LANES
from apprenti.games.tetris.learn import rollouts_kernel as compiled
from apprenti.games.tetris.learn.criteria import Vector, unit
from apprenti.games.tetris.learn.linear_learner import LinearLearner, LinearLearnerConfig, solve
from apprenti.games.tetris.learn.rollouts import looked_ahead, merits, play_on, visited
from apprenti.learn.learner import Metrics, above_0, one_of, positive

PARTS = 16
"""The states are looked for in this number of parts: the result does not depend on the workers."""
TOGETHER = 500
"""States that are rolled out together."""
LOOKED_AT = 50
"""Moves that are played for each state that is taken."""


@dataclass(frozen=True, kw_only=True)
class CbmpiConfig(LinearLearnerConfig):
    """CBMPI: a classifier imitates what rollouts and a value function say is best."""

    criteria: str = "dt"
    """Criteria of the policy: a set (dt, bcts, …), or names; V has five bumps of the mean height and a constant
    more."""
    iterations: int = 10
    """How many policies."""
    states: int = 42_000
    """N: states that are rolled out in each iteration, at most; of each height of the pile as many."""
    sampler: str = ""
    """Whose games the states are from: weights like holes=-4,lines=1; none for the policy's own games."""
    teacher: str = "rollouts"
    """What says how good a placement is: rollouts, and V after them; or expectimax, the policy itself one piece
    further."""
    rollout: int = 10
    """m: moves of the policy after the placement that is tried."""
    population: int = 32
    """Candidates of CMA-ES in each of its generations."""
    generations: int = 60
    """Generations of CMA-ES for each policy."""
    sigma: float = 0.3
    """First step size of CMA-ES, from the present policy on; weights have length 1."""
    average: bool = True
    """The agent has the mean of all policies, policy k counted k times; --no-average, as published, the newest."""
    test_games: int = 100
    """Fresh games after each iteration, which measure the agent and teach nothing."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "states", "rollout", "generations", "test_games")
        above_0(self, "sigma")
        one_of(self, "teacher", "rollouts", "expectimax")
        if self.population < 4:
            raise BadOption(f"--population is at least 4, not {self.population}.")

    @property
    def memory(self) -> int:
        return super().memory + 8_000 * self.states


class Examples(NamedTuple):
    """What rollouts say: criteria and Q̂ of the living placements, state by state; criteria of walls and their V̂."""

    criteria: Vector  # (placements, criteria)
    q: Vector
    counts: Ints  # of each state with a living placement, how many there are
    walls: Vector  # (states, criteria of V)
    v: Vector


class Cbmpi(LinearLearner[CbmpiConfig]):
    """The learner."""

    Config = CbmpiConfig
    name = "cbmpi"
    scales = False

    def __init__(self, config: CbmpiConfig) -> None:
        super().__init__(config)
        rules, names = self.objective.rules, self.layout.names
        if self.layout.size < 2:
            raise BadOption("CMA-ES needs at least two weights: name more --criteria.")
        self.moves = Measures(rules, names)
        self.walls = Measures(rules, tuple(dict.fromkeys((*names, "height_rbf", "constant"))))
        self.value: Vector = np.zeros(self.walls.size)
        """The weights of V."""
        self.policy = unit(self.vector)
        """The newest policy: the one that is rolled out."""
        self.sum: Vector = np.zeros(self.layout.size)
        """The sum of all policies, each as often as it counts."""
        sizes = [size_of(name, rules.width) for name in names]
        self._of_move = np.repeat([float(CRITERIA[name].of_move) for name in names], sizes)
        """1 for weights of the move, 0 for those of the board after it."""
        self._sampler = CompiledPlayer.of(weights_in(config.sampler)) if config.sampler else None
        if self._sampler:
            self._sampler.prepared(rules)  # refuses what is no player

    def warm_up(self) -> None:
        super().warm_up()
        game = Batch(self.objective.rules, 1, 1)
        game.reset()
        play_on(game.copies(np.zeros(1, np.int64)), self._sampler or self.objective.player(self.policy), 1)
        self._teach((game, 1))

    # States -----------------------------------------------------------------------------------------------------------

    def states(self) -> Batch:
        """The states of this iteration: games under way, of each height of the pile as many as its share, if met."""
        parts = [part.state() for part in self.objective.spread(self._visited, range(PARTS))]
        arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return Batch.of(self.objective.rules, arrays)

    def _visited(self, part: int) -> Batch:
        config, rules = self.config, self.objective.rules
        seed = seed_of(config.seed, self.name, self.iteration, "states", part)
        game, room = Batch(rules, 1, seed), -(-config.states // (PARTS * (rules.height + 1)))
        game.reset()
        player = self._sampler or self.objective.player(self.policy)
        return visited(game, player, -(-LOOKED_AT * config.states // PARTS), room, seed)

    # Rollouts ---------------------------------------------------------------------------------------------------------

    def _returns(self, batch: Batch, before: Ints) -> Vector:
        """Play m moves with the policy; the lines of each game since `before`, and V where it stands, 0 at an end."""
        play_on(batch, self.objective.player(self.policy), self.config.rollout)
        worth = self.walls.of_last_moves(batch) @ self.value
        return np.asarray(batch.lines - before + np.where(batch.dead, 0.0, worth))

    def rolled_out(self, part: tuple[Batch, int]) -> Examples:
        """Equations 7 and 10 for some states: rollouts of the policy, and of every placement that ends no game."""
        batch, seed = part
        here, after = Stream(seed).words(2 * batch.size).reshape(2, -1)
        v = self._returns(batch.copies(np.arange(batch.size), here), batch.lines)
        places = batch.afterstates()
        living = np.flatnonzero(~places.over)
        owners = places.game[living]
        tried = batch.copies(owners, after[owners])
        tried.play(places.action[living], np.ones(len(living), np.bool_))
        criteria, q = self.moves.of_last_moves(tried), self._returns(tried, batch.lines[owners])
        return Examples(criteria, q, np.unique(owners, return_counts=True)[1], self.walls.of_last_moves(batch), v)

    def taught(self, part: tuple[Batch, int]) -> Examples:
        """The same from the policy one piece further: no luck in it, and no V."""
        batch, _ = part
        places = batch.afterstates()
        living = np.flatnonzero(~places.over)
        criteria = self.moves.of_afterstates(batch, places)[living]
        fatal, answers = looked_ahead(batch, places, living, self.objective.player(self.policy))
        counts = np.unique(places.game[living], return_counts=True)[1]
        q = merits(criteria @ (self.policy * self._of_move) + answers, fatal, counts)
        return Examples(criteria, q, counts, self.walls.of_last_moves(batch), np.zeros(batch.size))

    def _teach(self, part: tuple[Batch, int]) -> Examples:
        return self.taught(part) if self.config.teacher == "expectimax" else self.rolled_out(part)

    def examples(self) -> Examples:
        """What the states of this iteration have to say."""
        states = self.states()
        firsts = range(0, states.size, TOGETHER)
        parts = [states.copies(np.arange(first, min(first + TOGETHER, states.size))) for first in firsts]
        seeds = [seed_of(self.config.seed, self.name, self.iteration, "rollouts", first) for first in firsts]
        examples = self.objective.spread(self._teach, list(zip(parts, seeds, strict=True)))
        return Examples(*map(np.concatenate, zip(*examples, strict=True)))

    # Two fits ---------------------------------------------------------------------------------------------------------

    def losses(self, examples: Examples, vectors: Vector) -> Vector:
        """Equation 11: for each policy the mean over the states of max Q̂ − Q̂ of what it chooses."""
        starts = np.concatenate([[0], np.cumsum(examples.counts)])
        cuts = np.linspace(0, len(examples.counts), PARTS + 1).astype(np.int64)
        groups = np.zeros((-(-len(vectors) // LANES), vectors.shape[1], LANES))  # sixteen policies side by side
        for number, vector in enumerate(vectors):
            groups[number // LANES, :, number % LANES] = vector

        def task(part: int) -> Vector:
            losses, own = np.zeros((len(groups), LANES)), starts[cuts[part] : cuts[part + 1] + 1]
            for group, sums in zip(groups, losses, strict=True):
                compiled.add_losses(examples.criteria.ravel(), examples.q, own, len(group), group.ravel(), sums)
            return losses.ravel()[: len(vectors)]

        return np.asarray(sum(self.objective.spread(task, range(PARTS))) / max(1, len(examples.counts)))

    def classifier(self, examples: Examples) -> tuple[Vector, float]:
        """The policy that loses least, by CMA-ES from the present one on; and what it loses in a state."""
        from cmaes import CMA

        config = self.config
        seed = seed_of(config.seed, self.name, self.iteration, "cma") % 2**32
        gaussian = CMA(mean=self.policy, sigma=config.sigma, population_size=config.population, seed=seed)
        for _ in range(config.generations):
            vectors = [gaussian.ask() for _ in range(config.population)]
            losses = self.losses(examples, np.array(vectors))
            gaussian.tell([(vector, float(loss)) for vector, loss in zip(vectors, losses, strict=True)])
        policy = unit(np.asarray(gaussian.mean))
        return policy, float(self.losses(examples, policy[None])[0])

    def step(self) -> Metrics:
        examples = self.examples()
        walls = examples.walls
        self.policy, loss = self.classifier(examples)
        self.sum = self.sum + (self.iteration + 1) * self.policy
        self.vector = unit(self.sum) if self.config.average else self.policy
        self.value = solve(walls.T @ walls, walls.T @ examples.v, (walls**2).sum(axis=0))
        error = float(np.sqrt(np.mean((walls @ self.value - examples.v) ** 2)))
        return self.tested(self.config.test_games, states=len(walls), loss=loss, error=error)

    # What is stored ---------------------------------------------------------------------------------------------------

    def state(self) -> SavedState:
        more = {"value": self.value, "policy": self.policy, "sum": self.sum}
        return {**super().state(), **{name: vector.tolist() for name, vector in more.items()}}

    def restore(self, state: JsonData) -> None:
        super().restore(state)
        self.value, self.policy, self.sum = (np.array(state[name], float) for name in ("value", "policy", "sum"))
