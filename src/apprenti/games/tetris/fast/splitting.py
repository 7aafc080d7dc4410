"""Tetris as a process that can be split: it begins again when it has ended, and can be taken up from any state."""

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.rare_events import DEPTH, ODDS, Climb, Departures, Ints, States
from apprenti.core.seeds import Stream
from apprenti.games.tetris.fast.players import CompiledPlayer, no_results, stop_signal
from apprenti.games.tetris.fast.tables import scratch, tables_for
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel import splitting as compiled
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
    """Levels for every player, one for each row that a pile can have: for whoever compares many of them."""
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
        departures = (_seeds(seed, 1), reached.ravel(), np.zeros(2, np.int64), most_ends, most_moves)
        with announcing("the splitting of Tetris", (self.plan, "leave")):
            found, at_once = compiled.leave(
                self.plan, self.tables, self.weights, departures, SHARES, self.low, level, result, scratch(), self.stop
            )
        counted = {"lines": at.R_LINES, "points": at.R_POINTS, "pieces": at.R_PIECES}
        measures = {name: int(result[place]) for name, place in counted.items()}
        return Departures(reached[:found], measures, int(result[at.R_DIED]), int(at_once), measures["pieces"])

    def climb(self, states: States, picks: Ints, seed: int, levels: tuple[int, ...]) -> Climb:
        """From each picked state until the last level is reached, the board is low, or the game ends."""
        trials, result = len(picks), no_results(1)[0]
        ends, peaks, falls = (np.zeros(trials, np.int64) for _ in range(3))
        reached, own = np.zeros((trials, compiled.STATE_SIZE), np.int64), np.zeros(4, np.int64)
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
