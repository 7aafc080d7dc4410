"""The splitting of players that decide for many boards at once: networks, tables of walls.

What `kernel/splitting.py` does trial by trial is done here side by side.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.rare_events import DEPTH, ODDS, Climb, Departures, Ints, Reals, States
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.players import stop_signal
from apprenti.games.tetris.fast.splitting import SHARES, first_level, low_height
from apprenti.games.tetris.fast.tables import LANES, count_bits
from apprenti.games.tetris.rules import Rules

TOGETHER = 32
"""Games that are played side by side to find the way out of low boards."""
COUNTED = ("lines", "points", "pieces")


@runtime_checkable
class ChoosesForMany(Protocol):
    """A compiled player that chooses the placements of many games at once."""

    def actions(self, batch: Batch) -> Ints:
        """An action for each game; any number for one that is over."""


def heights_of(columns: NDArray[np.int32]) -> Ints:
    """The heights of columns of bits."""
    return np.frexp(columns.astype(np.float64))[1].astype(np.int64)


def importance(columns: NDArray[np.int32]) -> Ints:
    """(boards, columns) → how near each board is to the end; what the kernel's `importance` says."""
    heights = heights_of(columns)
    holes = heights - count_bits(columns)
    return np.stack([heights.max(axis=1), heights.sum(axis=1), holes.sum(axis=1)], axis=1) @ SHARES


class BatchProcess:
    """The game of one such player."""

    def __init__(self, rules: Rules, player: ChoosesForMany) -> None:
        self.rules, self.player = rules, player
        self.low, self.first_level = low_height(rules), first_level(rules)
        self.stop = stop_signal()

    def _is_low(self, batch: Batch) -> NDArray[np.bool_]:
        return np.asarray(heights_of(batch.columns).max(axis=1) <= self.low)

    def leave(self, seed: int, level: int, crossings: int, most_ends: int, most_moves: int) -> Departures:
        """Play until a level was reached so often, each time from a low board; less if a limit is met.

        Each of the games side by side has its share. Its first way up is not counted: it began with the empty board.
        """
        together = min(TOGETHER, crossings)
        share = -(-crossings // together)
        batch = Batch(self.rules, together, seed)
        batch.reset()
        counted, found = dict.fromkeys(COUNTED, 0), np.full(together, -1)
        states: list[States] = []
        was_low, ends, at_once, moves = np.ones(together, np.bool_), 0, 0, 0
        while (found < share).any() and ends < most_ends and moves < most_moves and not self.stop[0]:
            playing, counts = found < share, found >= 0
            before = {name: getattr(batch, name).copy() for name in COUNTED}
            batch.play(self.player.actions(batch), playing)
            moves += int(playing.sum())
            for name in COUNTED:
                counted[name] += int((getattr(batch, name) - before[name])[counts].sum())
            over = batch.over & playing
            ends, at_once = ends + int(over.sum()), at_once + int((over & was_low & counts).sum())
            batch.renew()
            low = self._is_low(batch)
            up = playing & was_low & ~low & ~over & (importance(batch.columns) >= level)
            states.append(_stored(batch)[up & counts])
            found += up
            was_low = low | over | (was_low & ~up)
        return Departures(np.concatenate([_stored(batch)[:0], *states]), counted, ends, at_once, moves)

    def climb(self, states: States, picks: Ints, seed: int, levels: tuple[int, ...]) -> Climb:
        """From each picked state until the last level is reached, the board is low, or the game ends."""
        trials, rng = len(picks), Stream(seed)
        batch = _taken_up(self.rules, states[picks], rng.words(2 * trials).reshape(trials, 2))
        climbing, floors = np.ones(trials, np.bool_), np.full(trials, len(levels) - 2 - DEPTH)
        weights, peaks = np.ones(trials), np.zeros(trials, np.int64)
        reached, ended, moves = np.zeros(trials, np.bool_), np.zeros(trials, np.bool_), 0
        stored = np.zeros((trials, states.shape[1]), np.int64)
        while climbing.any() and not self.stop[0]:
            value = importance(batch.columns)
            peaks[climbing] = np.maximum(peaks, value)[climbing]
            there = climbing & (value >= levels[-1])
            stored[there], reached = _stored(batch)[there], reached | there
            climbing &= ~there & ~self._is_low(batch)
            climbing &= _survives(value, levels, floors, weights, climbing, rng)
            batch.give_up(~climbing & ~batch.over)
            batch.play(self.player.actions(batch), climbing)
            moves += int(climbing.sum())
            ended |= climbing & batch.over
            climbing &= ~batch.over
        return Climb(stored[reached], weights[reached], weights[ended], peaks, moves)


def _survives(
    value: Ints, levels: tuple[int, ...], floors: Ints, weights: Reals, which: NDArray[np.bool_], rng: Stream
) -> NDArray[np.bool_]:
    """Russian roulette of the trials that have fallen below a level."""
    alive = np.ones(len(value), np.bool_)
    while (fallen := which & alive & (floors >= 0) & (value < np.array(levels)[floors])).any():
        alive &= ~fallen | (rng.randoms(len(value)) * ODDS < 1.0)
        weights[fallen & alive] *= ODDS
        floors[fallen] -= 1
    return alive


def _stored(batch: Batch) -> States:
    """The games as rows: their columns, and all else that is known of them."""
    state = batch.state()
    return np.concatenate([state["boards"].astype(np.int64), state["games"]], axis=1)


def _taken_up(rules: Rules, states: States, chances: NDArray[np.uint64]) -> Batch:
    """Games that go on from stored states, each with a chance of its own."""
    batch = Batch(rules, len(states), None)
    boards = states[:, :LANES].astype(np.int32)
    batch.restore({"boards": boards, "before": boards, "games": states[:, LANES:], "chances": chances})
    return batch
