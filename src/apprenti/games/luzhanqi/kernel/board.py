"""The board as numbers for the compiled game: sets of points as bits of one 64-bit number, and copying rows."""

from collections.abc import Iterable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from apprenti.core.compiled import lent
from apprenti.games.luzhanqi import board


def bits_of(points: Iterable[int]) -> int:
    """A set of points as bits."""
    return sum(1 << point for point in points)


NEIGHBOURS = np.array([bits_of(points) for points in board.NEIGHBOURS], dtype=np.int64)
RAIL, CAMPS, HEADQUARTERS = bits_of(board.RAIL), bits_of(board.CAMPS), bits_of(board.HEADQUARTERS)
OWN_HEADQUARTERS = np.array([bits_of(board.HEADQUARTERS & set(side)) for side in board.START], dtype=np.int64)
START = np.array(board.START, dtype=np.int64)


def _rays(sign):
    """For each point, up to two straight railways that lead to higher (sign 1) or lower points, as bits."""
    table = np.zeros((board.POINTS, 2), dtype=np.int64)
    for point in range(board.POINTS):
        rays = [ray for ray in board.RAYS[point] if (ray[0] - point) * sign > 0]
        for number, ray in enumerate(rays):
            table[point, number] = bits_of(ray)
    return table


FORWARD, BACKWARD = _rays(1), _rays(-1)


def _linked(step):
    """The points from which a railway leads `step` points further."""
    return bits_of(first for first, second in board.RAIL_EDGES if second - first == step)


RIGHT, DOWN = _linked(1), _linked(board.COLUMNS)
"""Points with a railway to the next point on the right, and to the one below."""
LEFT, UP = RIGHT << 1, DOWN << board.COLUMNS

MOVE_FROM = np.array([origin for origin, _ in board.MOVES], dtype=np.int64)
MOVE_TO = np.array([target for _, target in board.MOVES], dtype=np.int64)
ACTION_OF = np.full((board.POINTS, board.POINTS), -1, dtype=np.int16)
for _number, (_origin, _target) in enumerate(board.MOVES):
    ACTION_OF[_origin, _target] = _number
TURNED_ACTION = np.array(board.TURNED_ACTION, dtype=np.int64)


_WORD, _BIT = ir.IntType(64), ir.IntType(1)


def _llvm(builder, name, *arguments):
    kind = ir.FunctionType(_WORD, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


@intrinsic
def count_bits(_context, _bits):
    """How many bits are set."""

    def generate(_, builder, __, arguments):
        return _llvm(builder, "llvm.ctpop.i64", arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_bit(_context, _bits):
    """The number of the lowest bit that is set; there has to be one."""

    def generate(_, builder, __, arguments):
        return _llvm(builder, "llvm.cttz.i64", arguments[0], ir.Constant(_BIT, 1))

    return types.int64(types.int64), generate


@intrinsic
def zeros_above(_context, _bits):
    """How many bits are not set above the highest one that is; there has to be one."""

    def generate(_, builder, __, arguments):
        return _llvm(builder, "llvm.ctlz.i64", arguments[0], ir.Constant(_BIT, 1))

    return types.int64(types.int64), generate


@lent
def copy(source, target):
    """Copy numbers from one array to another. Writing `target[:] = source` would cost seconds of compilation."""
    for place in range(len(target)):
        target[place] = source[place]
