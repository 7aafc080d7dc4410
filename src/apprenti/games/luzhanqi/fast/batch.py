"""Many games at once, for learning: arrays in, arrays out, finished games begin again by themselves.

    batch = Batch(Rules.preset("training"), games=256, seed=1)
    while learning:
        planes, legal = batch.planes(), batch.legal()      # (256, 54, 12, 5) and (256, 1176), of the players to move
        step = batch.step(actions)                          # (256,): who moved, and the games that ended

Everything is seen by the player to move: north's board, and the numbers of north's moves, are turned by half. So one
network plays both sides.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Numbers, like
from apprenti.core.errors import BadRules, IllegalMove
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.board import COLUMNS, POINTS, ROWS, SLOTS
from apprenti.games.luzhanqi.fast.arrays import Ints, rules_array, types_of
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.batch import legal_all, planes_all, restart_all, step_all
from apprenti.games.luzhanqi.pieces import TYPES
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import Rules


@dataclass(frozen=True)
class Step:
    """What one move in every game did."""

    mover: Ints
    """Who moved: 0 or 1."""
    ended: Ints
    """Why the game is over, as in `kernel/at.py` (1 … 5), or 0 if it goes on."""
    winner: Ints
    """Who won: 0, 1, or −1 for a draw; it means nothing where the game goes on."""

    def reward(self) -> NDArray[np.float32]:
        """For who moved: 1 for a game just won, −1 for one just lost, 0 for everything else."""
        decided = (self.ended > 0) & (self.winner >= 0)
        return np.where(decided, np.where(self.winner == self.mover, 1.0, -1.0), 0.0).astype(np.float32)


class Batch:
    """Many games side by side. A game and its restarts depend on the seed and its number alone."""

    def __init__(self, rules: Rules, games: int, seed: int = 1, layouts: tuple[str, ...] = ()) -> None:
        """Begin the games; their layouts are drawn from `layouts`, or from all legal ones."""
        if rules.repetition:
            raise BadRules("the compiled game does not count repetitions: play these rules with the readable one.")
        self.rules = rules
        self._rules = rules_array(rules)
        pool = np.array([types_of(layout) for layout in layouts], dtype=np.int64)
        self._pool = pool.reshape(-1, SLOTS)
        self.dice = np.array([seed_of(seed, "luzhanqi", number) for number in range(games)], dtype=np.uint64)
        self.games = np.empty((games, at.SIZE), dtype=np.int64)
        self._planes = np.zeros((games, PLANES, POINTS), np.float32)
        self._legal = np.zeros((games, rules.actions), dtype=np.bool_)
        restart_all(self._rules, self.games, self._pool, self.dice)

    def __len__(self) -> int:
        return len(self.games)

    @property
    def pool(self) -> Ints:
        """(layouts, slots): the types that games begin with; none for any legal layout."""
        return self._pool

    @pool.setter
    def pool(self, layouts: Ints) -> None:
        """Games that begin from now on draw from these layouts; those under way are played to their end."""
        self._pool = np.ascontiguousarray(layouts, dtype=np.int64).reshape(-1, SLOTS)

    @property
    def to_move(self) -> Ints:
        """Who is to move in each game."""
        return self.games[:, at.TO_MOVE].copy()

    def shapes(self) -> dict[str, Numbers]:
        """What saved games look like: nothing in them points outside the arrays that compiled code reads."""
        low, high = np.full(at.SIZE, -(2**62)), np.full(at.SIZE, 2**62)
        for place, size, least, most in (
            (at.BOARD, POINTS, -1, at.PIECES - 1), (at.TYPE, at.PIECES, 0, TYPES), (at.FACTS, at.PIECES, 0, 7),
            (at.POINT, at.PIECES, -1, POINTS - 1), (at.DEDUCED, at.PIECES, 0, 2 ** (TYPES + 1) - 1),
            (at.OCCUPIED, 2, 0, 2**POINTS - 1),
            (at.TO_MOVE, 1, 0, 1), (at.QUIET, 2, 0, 2**31), (at.OUTCOME, 1, 0, at.LONG), (at.WINNER, 1, -1, 1),
            (at.FLAGS, 2, -1, POINTS - 1), (at.CARRIERS, 2, -1, at.PIECES - 1), (at.MINES, 2, 0, SLOTS),
            (at.FLAG_PIECE, 2, -1, at.PIECES - 1), (at.FROM, 2, -1, POINTS - 1), (at.RESULT, 1, -1, 3),
            (at.OWN_FROM, 2, -1, POINTS - 1),
        ):  # fmt: skip
            low[place : place + size], high[place : place + size] = least, most
        pool = like(self._pool, 0, TYPES, grows=True)
        return {"games": like(self.games, low, high), "dice": like(self.dice), "pool": pool}

    def legal(self) -> NDArray[np.bool_]:
        """The legal moves, games × actions; overwritten by the next call."""
        legal_all(self._rules, self.games, self._legal)
        return self._legal

    def planes(self) -> NDArray[np.float32]:
        """What the players to move know, games × planes × 12 × 5; overwritten by the next call."""
        planes_all(self._rules, self.games, self._planes)
        return self._planes.reshape(len(self), PLANES, ROWS, COLUMNS)

    def step(self, actions: Ints) -> Step:
        mover = self.to_move
        ended, winner = np.zeros(len(self), dtype=np.int64), np.zeros(len(self), dtype=np.int64)
        actions = np.asarray(actions, dtype=np.int64)
        if actions.shape != (len(self),) or ((actions < 0) | (actions >= self.rules.actions)).any():
            raise IllegalMove(
                f"a batch takes one action for each of its {len(self)} games, 0 … {self.rules.actions - 1}."
            )
        wrong = step_all(self._rules, self.games, actions, self._pool, self.dice, ended, winner)
        if wrong >= 0:
            raise IllegalMove(f"action {actions[wrong]} is not legal in game {wrong}: choose one that legal() marks.")
        return Step(mover, ended, winner)
