"""Lessons 1 to 3: pieces and grids as data, the engine, algorithms on arrays. Row 0 is the top one, as it is written.

The texts of all lessons are in `exercises.toml`.
"""

from itertools import pairwise
from typing import Any

from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream
from apprenti.lab.exercises import exercise, part, spread, texts_of

Grid = list[list[int]]
Cells = list[tuple[int, int]]


TEXTS = texts_of(__package__)


def grid_of(*rows: str) -> Grid:
    """A grid from its drawing."""
    return [[int(cell == "#") for cell in row] for row in rows]


L, T, PAIR, BAR = [(0, 0), (1, 0), (1, 1), (1, 2)], [(0, 1), (1, 0), (1, 1), (1, 2)], [(0, 0), (0, 1)], [(0, 0)]
GRIDS = [
    grid_of("....", "....", "...."),
    grid_of("....", "#...", "#.##", "####"),
    grid_of("##..", ".#..", "##.#", "#..#", "####"),
    grid_of("#..", "...", "...", "###", ".##"),
    grid_of(".", "#", "."),
]
"""The empty one, one without a hole, overhangs and holes one above the other, full lines in the middle, one column."""


# 1 --------------------------------------------------------------------------------------------------------------------


def cells(drawing: list[str]) -> Cells:
    """The full cells."""
    return [(r, c) for r, row in enumerate(drawing) for c, sign in enumerate(row) if sign == "#"]


def turned(piece: Cells) -> Cells:
    """A quarter turn clockwise."""
    lowest = max(r for r, _ in piece)
    return sorted((c, lowest - r) for r, c in piece)


def _written(grid: Grid) -> tuple[Grid, Grid]:
    """A grid, and what it becomes when one cell is written: rows must not be the same list."""
    before = [list(row) for row in grid]
    grid[0][0] = 7
    return before, grid


PIECES = exercise(
    TEXTS,
    1,
    part(
        "cells(drawing)",
        cells,
        [(["#..", "###"],), ([".#.", "###"],), (["####"],), (["##", "##"],), (["#", "#", "##"],)],
        lambda d: [(c, r) for r, c in cells(d)],
        lambda d: [(r + 1, c + 1) for r, c in cells(d)],
        seen=sorted,
    ),
    part(
        "turned(cells)",
        turned,
        [(L,), (T,), (PAIR,), (turned(L),), ([(0, 0), (0, 1), (1, 1), (1, 2)],)],
        lambda p: turned(turned(turned(p))),
        lambda p: sorted((c, r) for r, c in p),
        lambda p: sorted((c, -r) for r, c in p),
        seen=sorted,
    ),
    part(
        "empty_grid(width, height)",
        lambda width, height: [[0] * width for _ in range(height)],
        [(3, 2), (10, 22), (1, 4), (4, 1)],
        lambda w, h: [[0] * w] * h,
        lambda w, h: [[0] * h for _ in range(w)],
        seen=_written,
    ),
)


# 2 --------------------------------------------------------------------------------------------------------------------


def fits(grid: Grid, piece: Cells, row: int, column: int) -> bool:
    """Whether all cells are inside and empty."""
    return all(
        0 <= row + r < len(grid) and 0 <= column + c < len(grid[0]) and not grid[row + r][column + c] for r, c in piece
    )


def dropped(grid: Grid, piece: Cells, column: int) -> int:
    """The row at which it comes to rest."""
    row = 0
    while fits(grid, piece, row + 1, column):
        row += 1
    return row


def _inside_only(grid: Grid, piece: Cells, row: int, column: int) -> bool:
    return all(0 <= row + r < len(grid) and 0 <= column + c < len(grid[0]) for r, c in piece)


def _python_wraps(grid: Grid, piece: Cells, row: int, column: int) -> bool:
    return all(row + r < len(grid) and column + c < len(grid[0]) and not grid[row + r][column + c] for r, c in piece)


def final_state(state: Any, choose: Any, rng: Any) -> Any:
    """Play to the end."""
    while state.outcome is None:
        if state.turn == CHANCE:
            state = state.deal(rng)
        else:
            state = state.play(choose(state.observation(state.turn), state.legal_moves(), rng))
    return state


def _one_move(state: Any, choose: Any, rng: Any) -> Any:
    return state.play(choose(state.observation(state.turn), state.legal_moves(), rng))


def _first(observation: Any, legal: Any, rng: Any) -> Any:
    return legal[0]


def _any(observation: Any, legal: Any, rng: Any) -> Any:
    return rng.choice(legal)


def _starts() -> list[tuple[Any, ...]]:
    other = {"tictactoe": {}, "gridworld": {"max_moves": 30}}  # the loop is the same in every game
    games = [(GAMES.load(name), options) for name, options in other.items() if name in GAMES]
    begun = [game.start(game.rules(**options), Stream(1)) for game, options in games]
    return [(state, choose, Stream(seed)) for state in begun for choose in (_first, _any) for seed in (1, 2)]


CORNERS = [(grid, piece, row, column) for grid in GRIDS[:3] for piece in (L, T, PAIR)
           for row in (-1, 0, 1, 2) for column in (-1, 0, 1, 2, 3)]  # fmt: skip

ENGINE = exercise(
    TEXTS,
    2,
    part("fits(grid, cells, row, column)", fits, CORNERS, _inside_only, _python_wraps, seen=bool),
    part(
        "dropped(grid, cells, column)",
        dropped,
        [
            (GRIDS[0], L, 0),
            (GRIDS[0], PAIR, 2),
            (GRIDS[1], PAIR, 1),
            (GRIDS[1], BAR, 1),
            (GRIDS[2], BAR, 2),
            (grid_of("....", ".#..", "....", "####"), BAR, 1),
        ],
        lambda g, p, c: dropped(g, p, c) + 1,
        lambda g, p, c: max(r for r in range(len(g)) if fits(g, p, r, c)),
    ),
    part("final_state(state, choose, rng)", final_state, _starts(), _one_move),
)


# 3 --------------------------------------------------------------------------------------------------------------------


def heights(grid: Grid) -> list[int]:
    """The height of each column."""
    return [max((len(grid) - r for r in range(len(grid)) if grid[r][c]), default=0) for c in range(len(grid[0]))]


def holes(grid: Grid) -> int:
    """Empty cells with a full one somewhere above."""
    return sum(
        len(grid) - r <= height and not grid[r][c] for c, height in enumerate(heights(grid)) for r in range(len(grid))
    )


def without_lines(grid: Grid) -> Grid:
    """The grid after full lines are removed."""
    kept = [list(row) for row in grid if not all(row)]
    return [[0] * len(grid[0]) for _ in range(len(grid) - len(kept))] + kept


def _one_pass(grid: Grid) -> Grid:
    """Removes while it goes on: misses a line below one that went."""
    rows, r = [list(row) for row in grid], len(grid) - 1
    while r >= 0:
        if all(rows[r]):
            del rows[r]
            rows.insert(0, [0] * len(grid[0]))
        r -= 1
    return rows


ARRAYS = exercise(
    TEXTS,
    3,
    part(
        "heights(grid)",
        heights,
        [(grid,) for grid in GRIDS],
        lambda g: [sum(column) for column in zip(*g, strict=True)],
        lambda g: [len(g) - height for height in heights(g)],
    ),
    part(
        "holes(grid)",
        holes,
        [(grid,) for grid in GRIDS],
        lambda g: sum(bool(g[r - 1][c]) and not g[r][c] for r in range(1, len(g)) for c in range(len(g[0]))),
        lambda g: sum(not cell for row in g for cell in row),
    ),
    part(
        "bumpiness(heights)",
        lambda heights: int(spread(heights)),
        [([0, 0, 0],), ([3, 1, 4],), ([1, 2, 3, 2],), ([5],), ([0, 4, 0, 4],)],
        lambda h: sum(b - a for a, b in pairwise(h)),
        lambda h: sum(abs(h[i] - h[i - 1]) for i in range(len(h))),
    ),
    part(
        "without_lines(grid)",
        without_lines,
        [(grid,) for grid in GRIDS] + [(grid_of("#.", "##", "##", ".#"),)],
        _one_pass,
        lambda g: [list(row) for row in g if not all(row)],
    ),
)

EXERCISES = (PIECES, ENGINE, ARRAYS)
