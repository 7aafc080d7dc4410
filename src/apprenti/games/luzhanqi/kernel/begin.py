"""Games as arrays: from layouts in compiled code, from a record in Python."""

import numpy as np

from apprenti.core.compiled import called, kernel
from apprenti.games.luzhanqi import record as words
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.deduction import deduced
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.moves import can_move
from apprenti.games.luzhanqi.kernel.play import no_move
from apprenti.games.luzhanqi.kernel.tables import START, rules_array
from apprenti.games.luzhanqi.pieces import FLAG, MINE, NONE, TYPE_OF
from apprenti.games.luzhanqi.rules import Rules

REASONS = {
    at.FLAG_TAKEN: words.End.FLAG_TAKEN,
    at.FLAG_HOME: words.End.FLAG_HOME,
    at.QUIET_END: words.End.QUIET,
    at.NO_MOVE: words.End.NO_MOVE,
    at.LONG: words.End.LONG,
}


@called
def set_types(game, player, types):
    """Give a player's pieces these types, by slot."""
    game[at.MINES + player] = 0
    for slot in range(SLOTS):
        piece = SLOTS * player + slot
        game[at.TYPE + piece] = types[slot]
        if types[slot] == FLAG:
            game[at.FLAG_PIECE + player] = piece
        if types[slot] == MINE and game[at.POINT + piece] >= 0:
            game[at.MINES + player] += 1


@called
def begin(rules, game, first, second):
    """A new game between two layouts, given as the types of their 25 slots."""
    game[:] = -1
    for place in range(at.FACTS, at.FLAGS):
        game[place] = 0
    for player in range(2):
        types = first if player == 0 else second
        for slot in range(SLOTS):
            piece, point = SLOTS * player + slot, START[player, slot]
            if types[slot] != NONE:
                game[at.BOARD + point] = piece
                game[at.POINT + piece] = point
                game[at.OCCUPIED + player] |= 1 << point
                game[at.DEDUCED + piece] = rules[at.ALLOWED + slot]
        set_types(game, player, types)
    if not can_move(rules, game, 0):
        no_move(rules, game)


@kernel
def begun(rules, first, second):
    """A new game between two layouts, given as the types of their 25 slots."""
    game = np.empty(at.SIZE, dtype=np.int64)
    begin(rules, game, first, second)
    return game


def types_of(layout: str) -> np.ndarray:
    """The types of the 25 slots of a layout."""
    return np.array([TYPE_OF[letter] for letter in layout], dtype=np.int64)


def game_of(rules: Rules, record: words.Record, types, knowledge: bool = True) -> np.ndarray:
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


def _clocks(game: np.ndarray, record: words.Record) -> None:
    game[at.TO_MOVE] = record.to_move
    game[at.QUIET] = record.quiet
    game[at.MOVES] = len(record.moves)
    game[at.FLAGS : at.FLAGS + 2] = record.flags
    game[at.CARRIERS : at.CARRIERS + 2] = record.carriers
    if record.moves:
        game[at.FROM], game[at.TO], game[at.RESULT] = record.moves[-1]
    if record.outcome:
        game[at.OUTCOME] = next((code for code, why in REASONS.items() if why == record.outcome.reason), at.LONG)
        game[at.WINNER] = -1 if record.outcome.winner is None else record.outcome.winner


def array_of_state(state) -> np.ndarray:
    """A state of the readable game as an array."""
    return game_of(state.rules, state.record, state.types)


__all__ = ["array_of_state", "begin", "begun", "game_of", "rules_array", "set_types", "types_of"]
