"""Games under way, some moves further: by a linear player, by each of its placements, or by chance.

A player one piece further is the teacher of the same player (expert iteration: Anthony, Tian & Barber 2017).
"""

import numpy as np

from apprenti.core.compiled import announcing
from apprenti.games.tetris.fast.batch import Afterstates, Batch, Ints
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.fast.tables import Plan, scratch
from apprenti.games.tetris.learn import rollouts_kernel as compiled
from apprenti.games.tetris.learn.criteria import Vector


def play_on(batch: Batch, player: CompiledPlayer, moves: int) -> None:
    """Play some moves in each game, as far as it goes on."""
    _play(batch, player, moves, 0, batch, np.zeros(0, np.int64))


def visited(batch: Batch, player: CompiledPlayer, moves: int, room: int, seed: int) -> Batch:
    """States that the games come by, each as likely: of each height of the pile as many as there is room, if met.

    Games that end begin anew.
    """
    heights = batch.rules.height + 1
    kept, seen = Batch(batch.rules, heights * room, None), np.zeros(heights, np.int64)
    _play(batch, player, moves, seed, kept, seen)
    return kept.copies(np.flatnonzero(np.arange(room) < seen[:, None]))


def _play(batch: Batch, player: CompiledPlayer, moves: int, seed: int, kept: Batch, seen: Ints) -> None:
    plan, weights = player.prepared(batch.rules)
    luck = np.array([seed], np.uint64)
    with announcing("a player of some moves", ("some moves", plan)):
        compiled.play_on(plan, batch.tables, batch.arrays, weights, moves, kept.arrays, seen, scratch(), luck)


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


def probabilities(after: Afterstates, logits: Vector) -> Vector:
    """The softmax of the placements of each game; one that ends the game only where all do."""
    firsts, counts = after.starts[:-1], np.diff(after.starts)
    living = np.where(after.over, -np.inf, logits)
    most = np.repeat(np.maximum.reduceat(living, firsts), counts)
    weights = np.where(np.isinf(most), 1.0, np.exp(living - np.where(np.isinf(most), 0.0, most)))
    return np.asarray(weights / np.repeat(np.add.reduceat(weights, firsts), counts))


def drawn(after: Afterstates, chances: Vector, luck: Vector) -> Ints:
    """For each game the place of a placement, drawn by its probabilities with a number from 0 to 1."""
    upto = np.cumsum(chances)
    before = upto[after.starts[:-1]] - chances[after.starts[:-1]]
    places = np.searchsorted(upto, before + luck * (upto[after.starts[1:] - 1] - before), side="right")
    return np.clip(places, after.starts[:-1], after.starts[1:] - 1)
