"""Whole games of a player that decides outside the kernel, many side by side."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.players import GameResult, OwnGames
from apprenti.games.tetris.fast.tables import why_not
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Tally

Ints: TypeAlias = NDArray[np.int64]
Move: TypeAlias = tuple[str, int, int]
"""A piece, a rotation and a column."""


class BatchGames(OwnGames):
    """Plays many games at once on the compiled engine; the heirs say what to play."""

    together = 128

    def batch(self, rules: Rules, games: int) -> Batch:
        """The games, not yet begun."""
        return Batch(rules, games)

    @abstractmethod
    def actions(self, batch: Batch) -> Ints:
        """The placement of each game."""

    def plays(self, rules: Rules) -> bool:
        return not why_not(rules)

    def play(
        self, rules: Rules, seeds: Sequence[tuple[int, int]], keep_moves: int = 0, stop: NDArray[np.int64] | None = None
    ) -> list[GameResult]:
        batch = self.batch(rules, len(seeds))
        batch.reset(np.array([pieces for pieces, _ in seeds], np.uint64))
        clears = np.zeros((len(seeds), 5), np.int64)
        moves: list[list[Move]] = [[] for _ in seeds]
        kept = 0
        while not batch.over.all() and not (stop is not None and stop[0]):
            actions = self.actions(batch)
            pieces, playing = batch.piece.copy(), ~batch.over
            rested = batch.play(actions, playing)
            lines = np.where(rested, batch.last_move[:, 0], 0)
            np.add.at(clears, (np.flatnonzero(lines > 0), lines[lines > 0] - 1), 1)
            if kept < keep_moves and self.keeps_moves:
                self._keep(rules, moves, actions, pieces, playing)
                kept += 1
        return [_result(batch, index, clears[index], tuple(moves[index])) for index in range(len(seeds))]

    def _keep(
        self, rules: Rules, moves: list[list[Move]], actions: Ints, pieces: Ints, playing: NDArray[np.bool_]
    ) -> None:
        """Keep the move of every game that is being played."""
        for index in np.flatnonzero(playing):
            rotation, column = divmod(int(actions[index]), rules.width)
            moves[index].append((rules.pieces.letters[pieces[index]], rotation, column))


def _result(batch: Batch, index: int, clears: Ints, moves: tuple[Move, ...]) -> GameResult:
    counted = (int(batch.lines[index]), int(batch.points[index]), 0, int(batch.pieces[index]))
    return GameResult(Tally(*counted, tuple(int(n) for n in clears)), bool(batch.dead[index]), moves)
