"""A new game as an array."""

import numpy as np

from apprenti.core.compiled import called, kernel, lent
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.moves import can_move
from apprenti.games.luzhanqi.kernel.play import no_move
from apprenti.games.luzhanqi.kernel.tables import START
from apprenti.games.luzhanqi.pieces import FLAG, MINE, NONE


@lent
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
