"""What a player does with each piece on many walls at once, on the compiled engine."""

from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.fast.tables import LANES, orientations, scratch, tables_for
from apprenti.games.tetris.kernel.probe import answer
from apprenti.games.tetris.kernel.walls import drop_names
from apprenti.games.tetris.rules import Rules

Walls = NDArray[np.integer]


def has_answers(player: object, rules: Rules) -> TypeGuard[CompiledPlayer]:
    """Whether a player is compiled, leaves nothing to luck and wants to know the piece in play alone."""
    if not isinstance(player, CompiledPlayer) or not player.plays(rules):
        return False
    return player.ties != "random" and player.look != "next_piece"


def actions_on(rules: Rules, player: CompiledPlayer, columns: NDArray[np.int32]) -> NDArray[np.int64]:
    """(boards, pieces) → the action that the player plays with each piece on each board of sixteen columns."""
    plan, weights = player.prepared(rules)
    chosen = np.empty(len(columns) * len(rules.pieces.pieces), np.int64)
    with announcing("a Tetris player", (plan, "answers")):
        answer(plan, tables_for(rules), weights, np.ascontiguousarray(columns).ravel(), scratch(), chosen)
    rotations = np.array([rotation for _, rotation in orientations(rules)])
    return (rotations[chosen // 16] * rules.width + chosen % 16).reshape(len(columns), -1)


def answers(rules: Rules, player: CompiledPlayer, walls: Walls) -> NDArray[np.int64]:
    """(walls, pieces) → the drop that the player plays, by its number."""
    letters, numbers = rules.pieces.letters, np.full((len(rules.pieces.pieces), 4 * rules.width), -1)
    for number, (letter, rotation, column) in enumerate(drop_names(rules)):
        numbers[letters.index(letter), rotation * rules.width + column] = number
    actions = actions_on(rules, player, columns_of_walls(rules, walls))
    return numbers[np.arange(len(letters)), actions]


def columns_of_walls(rules: Rules, walls: Walls) -> NDArray[np.int32]:
    """(walls, 16): their columns as bits."""
    rows, found = np.arange(rules.height), np.zeros((len(walls), LANES), np.int32)
    for column in range(rules.width):
        cells = walls.astype(np.int64)[:, None] >> (rows * rules.width + column) & 1
        found[:, column] = (cells << rows).sum(axis=1)
    return found
