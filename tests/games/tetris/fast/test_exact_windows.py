"""Windows of a board as criteria: each is worth what the solver says of the small board it shows."""

import numpy as np
import pytest

from apprenti.core.errors import BadAgent
from apprenti.core.machine import ThreadPool
from apprenti.games.tetris import Rules
from apprenti.games.tetris.fast.exact_windows import ExactWindows
from apprenti.games.tetris.fast.reachable import every_wall, explore_walls
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.learn.exact import ExactConfig, Solver
from apprenti.games.tetris.walls import canonical

SMALL, LARGE = Rules.preset("simplified", "4x4"), Rules.preset("simplified", "6x5")


@pytest.fixture(scope="module")
def table():
    solver = Solver(every_wall(SMALL), ExactConfig())
    while not solver.done:
        solver.step()
    return WallTable(SMALL, 1.0, solver.space.index, solver.values[:-1].astype(np.float32))


def test_every_window_has_the_value_of_the_small_board_it_shows(table):
    cells = np.random.default_rng(1).random((5, 6)) < 0.4  # (rows, columns), row 0 at the bottom
    columns = np.zeros((1, 16), np.int32)
    columns[0, :6] = (cells.T << np.arange(5)).sum(axis=1)
    found = ExactWindows.of(table).numbers(LARGE, columns, "all").reshape(2, 3)
    for row in range(2):
        for column in range(3):
            shown = cells[row : row + 4, column : column + 4].ravel()
            wall = sum(int(cell) << bit for bit, cell in enumerate(shown))
            assert found[row, column] == pytest.approx(table.value(canonical(wall, 4)))


def test_groups_are_sums_of_windows(table):
    windows, boards = ExactWindows.of(table), np.random.default_rng(2).integers(0, 32, (3, 16)).astype(np.int32)
    every = windows.numbers(LARGE, boards, "all").reshape(3, 2, 3)
    assert windows.numbers(LARGE, boards, "columns") == pytest.approx(every.sum(axis=1))
    assert windows.numbers(LARGE, boards, "heights") == pytest.approx(every.sum(axis=2))
    assert windows.numbers(LARGE, boards, "sum") == pytest.approx(every.sum(axis=(1, 2))[:, None])
    assert [windows.count(LARGE, group) for group in ("all", "columns", "heights", "sum")] == [6, 3, 2, 1]


def test_other_tables_and_boards_are_refused(table):
    oblong = Rules.preset("simplified", "4x3")
    space = explore_walls(oblong, ThreadPool(1))
    with pytest.raises(BadAgent, match="square"):
        ExactWindows.of(WallTable(oblong, 1.0, space.index, np.zeros(space.size, np.float32)))
    with pytest.raises(BadAgent, match="no window"):
        ExactWindows.of(table).numbers(oblong, np.zeros((1, 16), np.int32), "all")
