"""The worst dealer: it looks at the board and deals the piece that is hardest to place well.

Brzustowski (1992) asked whether Tetris can be won, and showed that some sequence of S and Z ends every game. This one
looks one piece ahead. A piece is as hard as its best placement is bad, by Dellacherie's evaluation (2003) for every
player; one that ends the game wherever it is placed is the hardest of all. Of equals the first of the set is dealt.
Chance has no part in it, and it knows no more than the board; where the next piece is shown, that is the board before
the piece in play is placed.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType

from apprenti.games.tetris.board import Board
from apprenti.games.tetris.criteria import CRITERIA, Move
from apprenti.games.tetris.placement import has_room, legal_placements
from apprenti.games.tetris.rules import Rules

NEVER = -math.inf
"""What ends the game is worth less than anything."""
WEIGHTS = MappingProxyType({
    "landing_height": -1.0, "eroded_piece_cells": 1.0, "row_transitions": -1.0, "column_transitions": -1.0,
    "holes": -4.0, "cumulative_wells": -1.0,
})  # fmt: skip
"""Dellacherie's, of 2003."""


def ends_game(rules: Rules, move: Move) -> bool:
    """Whether a placement ends the game."""
    return move.placement.top > rules.rows or move.after.highest > rules.height


def best_answer(rules: Rules, board: Board, letter: str, value: Callable[[Move], float]) -> float:
    """The value of the best placement of a piece, NEVER if it cannot appear or every one ends the game."""
    if not has_room(rules, board, rules.pieces[letter]):
        return NEVER
    moves = (Move(board, placement) for placement in legal_placements(rules, board, letter))
    return max(NEVER if ends_game(rules, move) else value(move) for move in moves)


def evaluation(move: Move) -> float:
    """Dellacherie's weighted sum."""
    return sum(weight * float(CRITERIA[name].definition(move)) for name, weight in WEIGHTS.items())


@lru_cache(maxsize=1024)
def hardest(rules: Rules, board: Board) -> str:
    """The piece whose best placement is worst."""
    return min(rules.pieces.letters, key=lambda letter: best_answer(rules, board, letter, evaluation))
