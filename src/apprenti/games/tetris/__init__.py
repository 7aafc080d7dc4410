"""Tetris: pieces, board, rules, placements, criteria."""

from apprenti.games.tetris import criteria
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.pieces import PieceSet
from apprenti.games.tetris.placement import Placement, legal_placements, placements
from apprenti.games.tetris.rules import Randomiser, Rules
from apprenti.games.tetris.state import Observation, State, deal, place, press, start

__all__ = [
    "Board",
    "Observation",
    "PieceSet",
    "Placement",
    "Randomiser",
    "Rules",
    "State",
    "criteria",
    "deal",
    "legal_placements",
    "place",
    "placements",
    "press",
    "start",
]
