"""A position of Tetris as the page draws it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from apprenti.core.data import JsonData, JsonMapping
from apprenti.core.protocols import AnyAgent
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.pieces import PIECE_SETS
from apprenti.games.tetris.placement import Placement, legal_placements
from apprenti.games.tetris.rules import POINTS, PRESETS, Rules
from apprenti.games.tetris.state import Observation, State, answer
from apprenti.games.tetris.views.text import ghost_cells, rows_needed
from apprenti.web.scenes import Scenes

PILE = (
    "J.........", "JJJ...S...", "ZZ.OO.SS..", "TZZOOLLSI.", "TTSSJJJLI.", "TSS.ZZJLI.", "LLL.OZZTI.", "LIIIIO.TTT",
)  # fmt: skip
EXAMPLE = f"{'/'.join(['.' * 10] * 16)}/{'/'.join(PILE)} T I 12 1240"


def state_of(seen: State | Observation) -> State:
    """The state: of what has come the player knows all, and what will come is in no state."""
    if isinstance(seen, State):
        return seen
    return State(
        seen.rules, seen.board, seen.piece or None, seen.next_piece, seen.remaining, seen.dealt, seen.tally,
        seen.position,
    )  # fmt: skip


class TetrisScenes(Scenes):
    """The scenes of Tetris."""

    module: ClassVar[str] = "tetris"
    bench: ClassVar[JsonMapping] = {"game": "tetris", "players": [""], "keys": ("L0", "H0", "R0", "N")}
    adviser: ClassVar[str] = "dellacherie"
    examples: ClassVar[Mapping[str, tuple[Mapping[str, str], str]]] = {"tetris": ({}, EXAMPLE)}
    small: ClassVar[Mapping[str, str]] = {"size": "4x4", "pieces": ""}

    def scene(self, seen: State | Observation, eyes: int | None) -> JsonData:
        state = state_of(seen)
        rules, tally = state.rules, state.tally
        in_play = state.piece is not None and state.position is not None and not state.outcome
        return {
            "rows": list(state.board.rows),
            "height": rules.height,
            "shown": max(rows_needed(rules, turning=True), len(state.board.rows)),
            "piece": state.piece if in_play else "",
            "falling": [list(cell) for cell in state.position.cells(state.shape)] if in_play and state.position else [],
            "ghost": sorted(map(list, ghost_cells(state))),
            "column": state.position.column if in_play and state.position else 0,
            "rotation": state.position.rotation if in_play and state.position else 0,
            "next": state.next_piece or "",
            "next_cells": _cells(rules, state.next_piece),
            "falls": rules.entry == "top",
            "grounded": in_play and isinstance(answer(state, "N"), Placement),
            "placements": _placements(rules, state.board, state.piece) if in_play and state.piece else {},
            "lines": tally.lines,
            "points": tally.points if rules.points != "lines" else None,
            "pieces": tally.pieces,
            "clears": list(tally.clears[:4]),
        }

    def choices(self) -> Mapping[str, Sequence[str]]:
        return {
            "rules": tuple(PRESETS),
            "size": ("10x20", "10x22", "10x10", "6x12", "5x10"),
            "pieces": tuple(PIECE_SETS),
            "points": POINTS,
            "randomiser": ("uniform", "bag", "worst", "sequence:IOTSZJL", "sequence:SZ"),
        }

    def quick(self, agent: AnyAgent, rules: Rules) -> Any:
        from apprenti.games.tetris.scene.kernel_agent import quick  # compiled code takes long to load

        return quick(agent, rules) if type(agent) is LinearAgent else agent

    def usual_rules(self) -> Rules:
        return Rules.preset("tetrisbot")


@lru_cache(maxsize=512)
def _placements(rules: Rules, board: Board, letter: str) -> dict[str, list[list[int]]]:
    """Where the piece can be put: the same for every key until it comes to rest."""
    return {str(each): [list(cell) for cell in each.cells] for each in legal_placements(rules, board, letter)}


def _cells(rules: Rules, letter: str | None) -> list[list[int]]:
    """The cells of a piece as it appears."""
    return [list(cell) for cell in rules.pieces[letter].rotations[0].cells] if letter else []


SCENES = TetrisScenes()
