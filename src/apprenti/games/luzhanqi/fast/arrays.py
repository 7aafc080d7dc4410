"""Games as arrays of numbers for the compiled game (`kernel/at.py` says what is where): one, its worlds, many at once.

A world is a game as it may be: what a player knows, and a layout drawn for the enemy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Numbers, like
from apprenti.core.errors import BadRules, IllegalMove
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi import board
from apprenti.games.luzhanqi.board import COLUMNS, POINTS, ROWS, SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.board import bits_of
from apprenti.games.luzhanqi.kernel.games import SEEN, legal_all, planes_all, replay, restart_all, step_all
from apprenti.games.luzhanqi.kernel.knowledge import SHOWN_FLAGS, fill_worlds
from apprenti.games.luzhanqi.kernel.play import set_types
from apprenti.games.luzhanqi.layout import ALLOWED
from apprenti.games.luzhanqi.moves import NO_PIECE, fight, types_after
from apprenti.games.luzhanqi.observation import Observation, deduced, turning_types
from apprenti.games.luzhanqi.pieces import NONE, TYPE_OF, TYPES
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.play import End, Record
from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.state import State

Ints = NDArray[np.int64]

REASONS = {
    at.FLAG_TAKEN: End.FLAG_TAKEN,
    at.FLAG_HOME: End.FLAG_HOME,
    at.QUIET_END: End.QUIET,
    at.NO_MOVE: End.NO_MOVE,
    at.LONG: End.LONG,
}


@cache
def rules_array(rules: Rules) -> Ints:
    """The rules for the compiled game, which does not count repetitions."""
    out = np.zeros(at.RULES_SIZE, dtype=np.int64)
    out[at.LOCK] = rules.headquarters == "lock"
    out[at.REVEAL] = rules.reveal_flag
    out[at.SHOW] = rules.show_fights
    out[at.FLAG_RULE] = ("wins", "carried", "mines").index(rules.flag)
    out[at.QUIET_LIMIT] = rules.quiet_limit
    out[at.QUIET_DRAW] = rules.quiet_draw
    out[at.MAX_MOVES] = rules.max_moves
    out[at.TURNING] = turning_types(rules)
    out[at.COUNTS : at.COUNTS + TYPES] = rules.counts
    out[at.GROUND] = list(board.BLOCKED).index(rules.board)
    out[at.BLOCKED] = bits_of(rules.blocked)
    for slot in rules.slots:
        out[at.ALLOWED + slot] = ALLOWED[slot]
    for mines_left in (0, 1):
        for attacker in range(TYPES):
            for defender in range(TYPES):
                place = at.FIGHT + (mines_left * TYPES + attacker) * TYPES + defender
                out[place] = fight(attacker, defender, rules, bool(mines_left))
    for own in range(TYPES):
        for attacks in (0, 1):
            for result in range(3):
                out[at.AFTER + (own * 2 + attacks) * 4 + result] = types_after(rules, own, bool(attacks), result)
    out.flags.writeable = False
    return out


def types_of(layout: str) -> Ints:
    """The types of the 25 slots of a layout."""
    return np.array([TYPE_OF[letter] for letter in layout], dtype=np.int64)


def game_of(rules: Rules, record: Record, types: Sequence[int], knowledge: bool = True) -> Ints:
    """A game as an array, from its public record and the types of all 50 pieces.

    Without `knowledge` nothing is filled in of what the players deduce.
    """
    game = np.full(at.SIZE, -1, dtype=np.int64)
    game[at.FACTS : at.FLAGS] = 0
    game[at.BOARD : at.BOARD + POINTS] = record.board
    for point, piece in enumerate(record.board):
        if piece >= 0:
            game[at.POINT + piece] = point
            game[at.OCCUPIED + piece // SLOTS] |= 1 << point
    for fact, pieces in (
        (at.HAS_MOVED, record.moved),
        (at.HAS_TURNED, record.turned),
        (at.HAS_SURVIVED, record.survivors),
    ):
        for piece in pieces:
            game[at.FACTS + piece] |= fact
    for player in (0, 1):
        own = np.array(types[SLOTS * player : SLOTS * player + SLOTS], dtype=np.int64)
        set_types.py_func(game, player, own)
        if knowledge:
            place = at.DEDUCED + SLOTS * (1 - player)
            game[place : place + SLOTS] = deduced(rules, player, [int(kind) for kind in own], record)
    _clocks(game, record)
    return game


def _clocks(game: Ints, record: Record) -> None:
    game[at.TO_MOVE] = record.to_move
    game[at.QUIET] = record.quiet
    game[at.MOVES] = len(record.moves)
    game[at.FLAGS : at.FLAGS + 2] = record.flags
    game[at.CARRIERS : at.CARRIERS + 2] = record.carriers
    if record.moves:
        game[at.FROM], game[at.TO], game[at.RESULT] = record.moves[-1]
    if len(record.moves) > 1:
        game[at.OWN_FROM], game[at.OWN_TO], _ = record.moves[-2]
    if record.outcome:
        game[at.OUTCOME] = next((code for code, why in REASONS.items() if why == record.outcome.reason), at.LONG)
        game[at.WINNER] = -1 if record.outcome.winner is None else record.outcome.winner


def array_of_state(state: State) -> Ints:
    """A state of the readable game as an array."""
    assert state.record is not None, "the armies are not set up yet"
    return game_of(state.rules, state.record, state.types)


def replayed(rules: Ints, game: Ints, moves: Ints) -> Ints | None:
    """What is seen of the moves, a row each; None if one of them is not legal. The game is changed."""
    seen = np.empty((len(moves), SEEN), dtype=np.int64)
    return seen if replay(rules, game, moves, seen) == len(moves) else None


def fights_of(record: Record) -> Ints:
    """The fights of a record as a table."""
    rows = [(f.attacker, f.defender, f.result, f.flag, *f.revealed) for f in record.fights]
    return np.array(rows, dtype=np.int64).reshape(-1, SHOWN_FLAGS + 2)


def blank_world(seen: Observation) -> Ints:
    """The game as an array, as far as a player knows it: the enemy's types are none."""
    assert seen.record is not None, "the armies are not set up yet"
    types = [NONE] * (2 * SLOTS)
    types[SLOTS * seen.player : SLOTS * seen.player + SLOTS] = seen.own_types
    game = game_of(seen.rules, seen.record, types, knowledge=False)
    enemy = 1 - seen.player
    game[at.DEDUCED + SLOTS * enemy : at.DEDUCED + SLOTS * enemy + SLOTS] = seen.deduced
    game[at.FLAG_PIECE + enemy] = NO_PIECE
    return game


def worlds_of(seen: Observation, layouts: Ints) -> Ints:
    """Worlds from what a player knows and layouts drawn for the enemy, a row each."""
    assert seen.record is not None, "the armies are not set up yet"
    out = np.empty((len(layouts), at.SIZE), dtype=np.int64)
    fill_worlds(rules_array(seen.rules), blank_world(seen), seen.player, layouts, fights_of(seen.record), out)
    return out


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
    """Many games side by side, for learning: arrays in, arrays out, finished games begin again by themselves.

        batch = Batch(Rules.preset("training"), games=256, seed=1)
        while learning:
            planes, legal = batch.planes(), batch.legal()  # (256, 54, 12, 5) and (256, 1176), of the players to move
            step = batch.step(actions)  # (256,): who moved, and the games that ended

    Everything is seen by the player to move: north's board, and the numbers of north's moves, are turned by half, so
    that one network plays both sides. A game and its restarts depend on the seed and its number alone.
    """

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
