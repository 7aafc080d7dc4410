"""A board for compiled code: two numbers with a bit for each cell, and a column of zeros after the last one."""

from functools import cache
from typing import NamedTuple

import numpy as np

from apprenti.core.compiled import inlined
from apprenti.games.mnk.codes import lines_of, powers
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State, symmetries


class Board(NamedTuple):
    """What compiled code has to know of the rules."""

    k: int
    stride: int
    """From a cell to the one below it."""
    bits: np.ndarray
    """The bit of each cell."""
    powers: np.ndarray
    """What a mark adds to the code of a position, for each symmetry and cell (see `games/mnk/codes.py`)."""
    places: np.ndarray
    """Where each cell goes, for each symmetry."""
    lines: np.ndarray
    """The bits of every row of K cells."""
    through: np.ndarray
    """For each cell the numbers of the lines through it, then −1."""


@cache
def board_of(rules: Rules) -> Board:
    """The rules for compiled code; refused if a code does not fit into 64 bits."""
    weights = powers(rules)
    stride = rules.columns + 1
    bits = np.array([1 << (cell // rules.columns * stride + cell % rules.columns) for cell in range(rules.cells)])
    bits = bits.astype(np.uint64)
    lines = lines_of(rules)
    return Board(
        rules.k,
        stride,
        bits,
        weights,
        np.array(symmetries(rules)).argsort(axis=1).astype(np.uint64),
        bits[lines.cells].sum(axis=1, dtype=np.uint64),
        lines.through,
    )


def bits_of(state: State, mark: str) -> np.uint64:
    """The cells of a mark as bits."""
    chosen = [cell for cell, there in enumerate(state.cells) if there == mark]
    return np.uint64(board_of(state.rules).bits[chosen].sum(dtype=np.uint64))


def codes_of(state: State) -> np.ndarray:
    """The code of a position under each symmetry."""
    digits = np.array([".XO".index(mark) for mark in state.cells], np.uint64)
    return np.asarray((board_of(state.rules).powers * digits).sum(axis=1, dtype=np.uint64))


@inlined
def has_row(board, own):
    """Whether K bits are in a row."""
    complete = False
    for step in (1, board.stride - 1, board.stride, board.stride + 1):
        run = own
        for _ in range(board.k - 1):
            run &= run >> np.uint64(step)
        complete |= run != 0
    return complete


@inlined
def completing(board, own):
    """The cells, free or not, that would complete a row: K − 1 of its own bits lie before and after them."""
    cells = np.uint64(0)
    for number in (1, board.stride - 1, board.stride, board.stride + 1):
        step = np.uint64(number)
        before = ~np.uint64(0)  # cells with `count` own bits before them
        for count in range(board.k):
            after = before
            for other in range(board.k - 1 - count):
                after &= own >> (step * np.uint64(other + 1))
            cells |= after
            before = (before & own) << step
    return cells


@inlined
def count_bits(x):
    """How many bits are set."""
    x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
