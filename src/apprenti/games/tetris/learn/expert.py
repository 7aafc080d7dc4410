"""A player one piece further as the teacher of the same player (expert iteration: Anthony, Tian & Barber 2017)."""

import numpy as np

from apprenti.core.compiled import announcing
from apprenti.games.tetris.fast.batch import Afterstates, Batch, Ints
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.fast.tables import Plan, scratch
from apprenti.games.tetris.learn import expert_kernel as compiled
from apprenti.games.tetris.learn.criteria import Vector

FATAL = 10.0
"""What a next piece that ends the game costs: more than the whole way, for one piece of seven."""


def looked_ahead(batch: Batch, places: Afterstates, which: Ints, player: CompiledPlayer) -> tuple[Vector, Vector]:
    """For some placements the probability of a fatal next piece, and the mean value of the best answer to others."""
    plan, weights = player.prepared(batch.rules)
    plan = Plan(plan.names | {"expectimax"})
    fatal, answers = np.zeros(len(which)), np.zeros(len(which))
    boards, owners = np.ascontiguousarray(places.columns[which]).ravel(), places.game[which]
    with announcing("a player one piece further", ("expert", plan)):
        compiled.prospects(plan, batch.tables, batch.arrays, weights, boards, owners, scratch(), fatal, answers)
    return fatal, answers


def merits(values: Vector, fatal: Vector, counts: Ints) -> Vector:
    """Values as a part of the way from the worst placement of their state to the best, less `FATAL` times the risk.

    A bad choice then loses as much in a state whose placements differ little as in one where they differ much.
    """
    starts = np.cumsum(counts) - counts
    low, high = (np.repeat(join.reduceat(values, starts), counts) for join in (np.minimum, np.maximum))
    return np.asarray((values - low) / np.where(high > low, high - low, 1.0) - FATAL * fatal)
