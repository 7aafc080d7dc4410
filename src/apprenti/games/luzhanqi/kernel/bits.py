"""Sets of points as bits of one 64-bit number, and copying rows of numbers."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from apprenti.core.compiled import lent

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
