"""A position of an m,n,k-game as the page draws it."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from apprenti.core.data import JsonData, JsonMapping
from apprenti.games.mnk.rules import PRESETS
from apprenti.games.mnk.state import MARKS, State
from apprenti.web.scenes import Scenes

MIDDLE = (
    ".....O.........", "......X..X.....", ".......XO......", "......OXO......", ".....O.XX......", "....X.OO.......",
)  # fmt: skip
FIVE = f"{'/'.join(['.' * 15] * 5)}/{'/'.join(MIDDLE)}/{'/'.join(['.' * 15] * 4)} x"
FOUR = "......./..O..../..XX.../..OXO../.X.O.../....... x"


def winning_row(state: State) -> list[int]:
    """The cells of the row that won, if there is one."""
    rules, cells = state.rules, state.cells
    for first in range(rules.cells):
        row, column = divmod(first, rules.columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            ends = row + down * (rules.k - 1), column + right * (rules.k - 1)
            if not (ends[0] < rules.rows and 0 <= ends[1] < rules.columns):
                continue
            line = [first + step * (down * rules.columns + right) for step in range(rules.k)]
            if cells[first] in MARKS and len({cells[cell] for cell in line}) == 1:
                return line
    return []


class MnkScenes(Scenes):
    """The scenes of all m,n,k-games."""

    module: ClassVar[str] = "mnk"
    examples: ClassVar[Mapping[str, tuple[Mapping[str, str], str]]] = {
        "gomoku": ({}, FIVE),
        "mnk": ({"size": "6x7x4"}, FOUR),
    }
    bench: ClassVar[JsonMapping] = {
        "game": "mnk", "options": {"size": "10x10x5"}, "players": ["", "mnk-random"],
    }  # fmt: skip

    def scene(self, seen: State, eyes: int | None) -> JsonData:
        rules = seen.rules
        board = {"rows": rules.rows, "columns": rules.columns, "k": rules.k, "cells": seen.cells}
        return {**board, "won": winning_row(seen) if seen.outcome else [], "solved": rules.solved_soon}

    def choices(self) -> Mapping[str, Sequence[str]]:
        return {"rules": tuple(PRESETS), "size": ("3x3x3", "4x4x3", "4x4x4", "5x5x4", "6x7x4", "7x7x4", "15x15x5")}


SCENES = MnkScenes()
