"""The arrays the kernel works with."""

import numpy as np

from apprenti.games.tetris.fast.primitives import LANES, at
from apprenti.games.tetris.fast.tables import scratch


def test_boards_lie_at_the_address_of_a_register_wherever_memory_is_free():
    kept = []  # what is freed would be given again
    for size in range(1, 200):
        boards = scratch()[0]
        kept += [boards, np.zeros(size, np.int32)]
        assert len(boards) == 2 * at.WORK_SIZE and not boards.any()
        assert boards[at.COLUMNS :].ctypes.data % (4 * LANES) == 0
