"""Rules and games as arrays of numbers for the compiled game; `kernel/at.py` says what is where."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from apprenti.games.luzhanqi import board
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.combat import fight, types_after
from apprenti.games.luzhanqi.deduction import deduced, turning_types
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.begin import set_types
from apprenti.games.luzhanqi.kernel.replay import SEEN, replay
from apprenti.games.luzhanqi.kernel.tables import bits_of
from apprenti.games.luzhanqi.layout import ALLOWED
from apprenti.games.luzhanqi.pieces import TYPE_OF, TYPES
from apprenti.games.luzhanqi.record import End, Record
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
