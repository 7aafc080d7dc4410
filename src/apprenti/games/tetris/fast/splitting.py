"""Tetris as a process that can be split: it begins again when it has ended, and can be taken up from any state."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.rare_events import DEPTH, ODDS, Climb, Departures, Ints, Reals, States
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.players import CompiledPlayer, no_results, stop_signal
from apprenti.games.tetris.fast.tables import LANES, count_bits, scratch, tables_for
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel import play as compiled
from apprenti.games.tetris.rules import Rules

SHARES = np.array([10, 2, 3], np.int64)
"""The height of the pile, the sum of heights, and the holes in the importance of a board: docs/rare-events.md."""


def low_height(rules: Rules) -> int:
    """The height of a pile that is low: good players come back to it all the time."""
    return 4 if rules.height >= 14 else 3 if rules.height >= 8 else 1


def first_level(rules: Rules) -> int:
    """The importance of a board that is two rows above the low ones, half as full, and without holes."""
    high = low_height(rules) + 2
    return int(SHARES @ [high, high * rules.width // 2, 0])


def ladder(rules: Rules) -> tuple[int, ...]:
    """Levels for every player, one for each row that a pile can have: to compare many of them."""
    first, step = first_level(rules), int(SHARES @ [1, rules.width, 0])
    return tuple(range(first, max(first + 1, int(SHARES @ [rules.height, rules.height * rules.width, 0])), step))


class TetrisProcess:
    """The game of one compiled player. A state is low when the pile is; what is important is a high one with holes."""

    def __init__(self, rules: Rules, player: CompiledPlayer, stop: NDArray[np.int64] | None = None) -> None:
        self.plan, self.weights = player.prepared(rules)
        self.tables = tables_for(rules)
        self.low, self.first_level = low_height(rules), first_level(rules)
        self.stop = stop_signal() if stop is None else stop

    def leave(self, seed: int, level: int, crossings: int, most_ends: int, most_moves: int) -> Departures:
        """Play until a level was reached so often, each time from a low board; less if a limit is met."""
        reached, result = np.zeros((crossings, compiled.STATE_SIZE), np.int64), no_results(1)[0]
        departures = (_seeds(seed, 1), reached.ravel(), np.zeros(compiled.TURN_SIZE, np.int64), most_ends, most_moves)
        with announcing("the splitting of Tetris", (self.plan, "leave")):
            count, at_once = compiled.leave(
                self.plan, self.tables, self.weights, departures, SHARES, self.low, level, result, scratch(), self.stop
            )
        counted = {"lines": at.R_LINES, "points": at.R_POINTS, "pieces": at.R_PIECES}
        measures = {name: int(result[place]) for name, place in counted.items()}
        return Departures(reached[:count], measures, int(result[at.R_DIED]), int(at_once), measures["pieces"])

    def climb(self, states: States, picks: Ints, seed: int, levels: tuple[int, ...]) -> Climb:
        """From each picked state until the last level is reached, the board is low, or the game ends."""
        trials, result = len(picks), no_results(1)[0]
        ends, peaks, falls = (np.zeros(trials, np.int64) for _ in range(3))
        reached, own = np.zeros((trials, compiled.STATE_SIZE), np.int64), np.zeros(2 + compiled.TURN_SIZE, np.int64)
        starts = np.ascontiguousarray(states).ravel(), picks, _seeds(seed, trials)
        given = (*starts, ends, peaks, falls, reached.ravel(), own, DEPTH, ODDS)
        with announcing("the splitting of Tetris", (self.plan, "climb")):
            compiled.climb(
                self.plan, self.tables, self.weights, given, SHARES, self.low, np.array(levels, np.int64), result,
                scratch(), self.stop,
            )  # fmt: skip
        weights, there = ODDS**falls, ends == compiled.REACHED
        ended = weights[ends == compiled.ENDED]
        return Climb(reached[there], weights[there], ended, peaks, int(result[at.R_PIECES]))


def _seeds(seed: int, number: int) -> NDArray[np.uint64]:
    """Two seeds for each trial: of the pieces, and of the player's own chance."""
    return Stream(seed).words(2 * number)


# Players that decide for many boards at once: networks, tables of walls -----------------------------------------------


# What the kernel does trial by trial is done here side by side.

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
        counted, crossed = dict.fromkeys(COUNTED, 0), np.full(together, -1)
        states: list[States] = []
        was_low, ends, at_once, moves = np.ones(together, np.bool_), 0, 0, 0
        while (crossed < share).any() and ends < most_ends and moves < most_moves and not self.stop[0]:
            playing, counts = crossed < share, crossed >= 0
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
            crossed += up
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
