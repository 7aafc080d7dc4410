"""Tetris as a process that can be split: it begins again when it has ended, and can be taken up from any state."""

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.rare_events import Climb, Departures, Ints, States
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.players import CompiledPlayer, no_results, stop_signal
from apprenti.games.tetris.fast.tables import scratch, tables_for
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel import splitting as compiled
from apprenti.games.tetris.rules import Rules

SHARES = (10, 2, 0)
"""The height of the pile, the sum of heights, and the holes in the importance of a board. Chosen by trying: with the
height of the pile alone the last level costs half of the time and has most of the error."""
MOST_ENDS = 400


class TetrisProcess:
    """The game of one compiled player. A state is low when the pile is; what is important is a high one."""

    def __init__(self, rules: Rules, player: CompiledPlayer) -> None:
        self.plan, self.weights = player.prepared(rules)
        self.tables, self.rules = tables_for(rules), rules
        self.low = 4 if rules.height >= 14 else 3 if rules.height >= 8 else 1
        self.stop = stop_signal()
        self._shares = np.array(SHARES, np.int64)
        self._scratch = scratch()

    @property
    def first_level(self) -> int:
        """The importance of a board two rows above the low ones, and half as full."""
        high = self.low + 2
        return SHARES[0] * high + SHARES[1] * high * self.rules.width // 2

    def leave(self, seed: int, level: int, crossings: int) -> Departures:
        """Play until a level was reached so often, each time from a low board."""
        reached, result = np.zeros((crossings, compiled.STATE_SIZE), np.int64), no_results(1)[0]
        departures = (_seeds(seed, 1), reached.ravel(), np.zeros(2, np.int64), MOST_ENDS)
        with announcing("the splitting of Tetris", (self.plan, "leave")):
            found = compiled.leave(
                self.plan, self.tables, self.weights, departures, self._shares, self.low, level, result,
                self._scratch, self.stop,
            )  # fmt: skip
        lines, ends, pieces = (int(result[field]) for field in (at.R_LINES, at.R_DIED, at.R_PIECES))
        return Departures(reached[:found], float(lines), ends, pieces)

    def climb(self, states: States, picks: Ints, seed: int, level: int) -> Climb:
        """From each picked state until the level is reached, the board is low, or the game ends."""
        trials, result = len(picks), no_results(1)[0]
        ends, peaks = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
        reached = np.zeros((trials, compiled.STATE_SIZE), np.int64)
        seeds, turn = _seeds(seed, trials), np.zeros(2, np.int64)
        given = (np.ascontiguousarray(states).ravel(), picks, seeds, ends, peaks, reached.ravel(), turn)
        with announcing("the splitting of Tetris", (self.plan, "climb")):
            compiled.climb(
                self.plan, self.tables, self.weights, given, self._shares, self.low, level, result, self._scratch,
                self.stop,
            )  # fmt: skip
        ended = int((ends == compiled.ENDED).sum())
        return Climb(reached[ends == compiled.REACHED], ended, peaks, int(result[at.R_PIECES]))


def _seeds(seed: int, number: int) -> NDArray[np.uint64]:
    """Two seeds for each trial: of the pieces, and of the player's own chance."""
    rng = Stream(seed)
    return np.array([rng.bits() for _ in range(2 * number)], np.uint64)
