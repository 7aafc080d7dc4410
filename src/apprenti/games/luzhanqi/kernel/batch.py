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

from apprenti.core.compiled import called, kernel
from apprenti.core.dice import next_random
from apprenti.core.errors import BadRules, IllegalMove
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.board import COLUMNS, ROWS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.begin import REASONS, begin, types_of
from apprenti.games.luzhanqi.kernel.bits import copy
from apprenti.games.luzhanqi.kernel.moves import MOST_MOVES, legal_moves
from apprenti.games.luzhanqi.kernel.planes import empty_planes, fill_planes
from apprenti.games.luzhanqi.kernel.play import apply
from apprenti.games.luzhanqi.kernel.tables import MOVE_FROM, MOVE_TO, TURNED_ACTION, rules_array
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import Rules


@called
def fill_region(rules, kind, count, out, dice):
    """Put `count` pieces of a type on free slots that allow it, each choice as likely."""
    for _ in range(count):
        free = 0
        for slot in range(SLOTS):
            free += out[slot] < 0 and (rules[at.ALLOWED + slot] >> kind) & 1
        skip = int(next_random(dice) * free)
        slot = 0
        while True:
            if out[slot] < 0 and (rules[at.ALLOWED + slot] >> kind) & 1:
                if skip == 0:
                    break
                skip -= 1
            slot += 1
        out[slot] = kind


@called
def random_layout(rules, out, dice):
    """A layout, every legal one as likely: the most restricted pieces first, the rest shuffled."""
    for slot in range(SLOTS):
        out[slot] = -1 if rules[at.ALLOWED + slot] else NONE
    for kind in (FLAG, MINE, BOMB):
        fill_region(rules, kind, rules[at.COUNTS + kind], out, dice)
    rest = np.full(SLOTS, NONE, dtype=np.int64)
    count = 0
    for kind in range(TYPES):
        if kind not in (FLAG, MINE, BOMB):
            for _ in range(rules[at.COUNTS + kind]):
                rest[count] = kind
                count += 1
    free = 0
    for slot in range(SLOTS):
        free += out[slot] < 0
    for slot in range(SLOTS):
        if out[slot] < 0:
            drawn = int(next_random(dice) * free)
            out[slot] = rest[drawn]
            free -= 1
            rest[drawn] = rest[free]


@called
def draw_layout(rules, pool, out, dice):
    """One of the layouts of the pool; any legal one if the pool is empty."""
    if len(pool):
        copy(pool[int(next_random(dice) * len(pool))], out)
    else:
        random_layout(rules, out, dice)


@called
def restart(rules, game, pool, dice):
    """Begin a new game with two drawn layouts."""
    both = np.empty((2, SLOTS), dtype=np.int64)
    for player in range(2):
        draw_layout(rules, pool, both[player], dice)
    begin(rules, game, both[0], both[1])


@kernel
def restart_all(rules, games, pool, dice):
    for number in range(len(games)):
        restart(rules, games[number], pool, dice[number : number + 1])


@kernel
def step_all(rules, games, actions, pool, dice, ended, winner):
    """One move in every game; returns the number of the first game whose move is illegal, or −1."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    for number in range(len(games)):
        game, action = games[number], actions[number]
        if game[at.TO_MOVE] == 1:
            action = TURNED_ACTION[action]
        legal = False
        for other in moves[: legal_moves(rules, game, moves)]:
            legal |= other == action
        if not legal:
            return number
        apply(rules, game, MOVE_FROM[action], MOVE_TO[action])
        ended[number], winner[number] = game[at.OUTCOME], game[at.WINNER]
        while game[at.OUTCOME] != at.GOING_ON:
            restart(rules, game, pool, dice[number : number + 1])
    return -1


@kernel
def legal_all(rules, games, out):
    """Mark the legal moves of every game, as the player to move sees them."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    for number in range(len(games)):
        game = games[number]
        out[number, :] = False
        for action in moves[: legal_moves(rules, game, moves)]:
            out[number, TURNED_ACTION[action] if game[at.TO_MOVE] == 1 else action] = True


@kernel
def planes_all(rules, games, out):
    """The planes of every game, as the player to move sees it."""
    masks = np.empty(SLOTS, dtype=np.int64)
    for number in range(len(games)):
        fill_planes(rules, games[number], games[number][at.TO_MOVE], masks, out[number])


@dataclass(frozen=True)
class Step:
    """What one move in every game did."""

    mover: np.ndarray
    """Who moved: 0 or 1."""
    ended: np.ndarray
    """Why the game is over, as in `kernel.at` (1 … 5), or 0 if it goes on."""
    winner: np.ndarray
    """Who won: 0, 1, or −1 for nobody; it means nothing where the game goes on."""

    def reward(self) -> np.ndarray:
        """For who moved: 1 for a game just won, −1 for one just lost, 0 for everything else."""
        decided = (self.ended > 0) & (self.winner >= 0)
        return np.where(decided, np.where(self.winner == self.mover, 1.0, -1.0), 0.0).astype(np.float32)


class Batch:
    """Many games side by side. A game and its restarts depend on the seed and its number alone."""

    def __init__(self, rules: Rules, games: int, seed: int = 1, layouts: tuple[str, ...] = ()) -> None:
        """Begin so many games; their layouts are drawn from `layouts`, or from all legal ones."""
        if rules.repetition:
            raise BadRules("the compiled game does not count repetitions: play these rules with the readable one.")
        self.rules = rules
        self._rules = rules_array(rules)
        pool = np.array([types_of(layout) for layout in layouts], dtype=np.int64)
        self._pool = pool.reshape(-1, SLOTS)
        self.dice = np.array([seed_of(seed, "luzhanqi", number) for number in range(games)], dtype=np.uint64)
        self.games = np.empty((games, at.SIZE), dtype=np.int64)
        self._planes = empty_planes(games)
        self._legal = np.zeros((games, rules.actions), dtype=np.bool_)
        restart_all(self._rules, self.games, self._pool, self.dice)

    def __len__(self) -> int:
        return len(self.games)

    @property
    def pool(self) -> np.ndarray:
        """(layouts, slots): the types that games begin with; none for any legal layout."""
        return self._pool

    @pool.setter
    def pool(self, layouts: np.ndarray) -> None:
        """Games that begin from now on draw from these layouts; those under way are played to their end."""
        self._pool = np.ascontiguousarray(layouts, dtype=np.int64).reshape(-1, SLOTS)

    @property
    def to_move(self) -> np.ndarray:
        """Who is to move in each game."""
        return self.games[:, at.TO_MOVE].copy()

    def legal(self) -> np.ndarray:
        """The legal moves, games × actions; overwritten by the next call."""
        legal_all(self._rules, self.games, self._legal)
        return self._legal

    def planes(self) -> np.ndarray:
        """What the players to move know, games × planes × 12 × 5; overwritten by the next call."""
        planes_all(self._rules, self.games, self._planes)
        return self._planes.reshape(len(self), PLANES, ROWS, COLUMNS)

    def step(self, actions: np.ndarray) -> Step:
        """Make one move in every game; a game that ends begins again."""
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


__all__ = ["REASONS", "Batch", "Step"]
