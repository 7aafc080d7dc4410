"""Some moves of a linear player in games under way, from Python."""

import numpy as np

from apprenti.core.compiled import announcing
from apprenti.games.tetris.fast.batch import Batch, Ints
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.fast.tables import scratch
from apprenti.games.tetris.learn import some_moves_kernel as compiled


def play_on(batch: Batch, player: CompiledPlayer, moves: int) -> None:
    """Play so many moves in each game, as far as it goes on."""
    _play(batch, player, moves, 0, batch, np.zeros(0, np.int64))


def visited(batch: Batch, player: CompiledPlayer, moves: int, room: int, seed: int) -> Batch:
    """States that the games come by, each as likely: of each height of the pile as many as there is room, if met.

    Games that end begin anew.
    """
    heights = batch.rules.height + 1
    found, seen = Batch(batch.rules, heights * room, None), np.zeros(heights, np.int64)
    _play(batch, player, moves, seed, found, seen)
    return found.copies(np.flatnonzero(np.arange(room) < seen[:, None]))


def _play(batch: Batch, player: CompiledPlayer, moves: int, seed: int, found: Batch, seen: Ints) -> None:
    plan, weights = player.prepared(batch.rules)
    luck = np.array([seed], np.uint64)
    with announcing("a player of some moves", ("some moves", plan)):
        compiled.play_on(plan, batch.tables, batch.arrays, weights, moves, found.arrays, seen, scratch(), luck)
