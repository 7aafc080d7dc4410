"""Sixteen numbers in one processor register, as a Numba type.

A board has at most sixteen columns, so one register holds all of them: one instruction then works on every column, or
on a piece dropped at every column, at the same time. Numba has no such type and LLVM's own vectoriser is a matter of
luck, so this file says it outright: three types (`whole` 32-bit numbers, `real` 64-bit numbers, `truth` bits), the
arithmetic between them, and a few moves across lanes. On a processor without 512-bit registers LLVM splits the work.
"""

import operator
from collections.abc import Callable

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import config, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

LANES = 16

_ELEMENT = {"whole": ir.IntType(32), "real": ir.DoubleType(), "truth": ir.IntType(1)}
_SUFFIX = {"whole": "v16i32", "real": "v16f64"}
_INDEX = ir.IntType(32)


class Lanes(types.Type):
    """The Numba type of a register with sixteen elements of one kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(name=f"Lanes({kind})")


whole, real, truth = Lanes("whole"), Lanes("real"), Lanes("truth")


def _vector(kind: str) -> ir.VectorType:
    return ir.VectorType(_ELEMENT[kind], LANES)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type: Lanes) -> None:
        super().__init__(dmm, fe_type, _vector(fe_type.kind))


def _splat(builder, value, kind: str):
    undefined = ir.Constant(_vector(kind), ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES))


def _llvm(builder, name: str, result, *arguments, fastmath: tuple[str, ...] = ()):
    """Call an LLVM intrinsic by its full name."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments, fastmath=fastmath)


# Arithmetic -----------------------------------------------------------------------------------------------------------


def _binary(symbol: Callable[..., object], on_whole: str | None, on_real: str | None) -> None:
    @infer_global(symbol)
    class _Template(AbstractTemplate):  # pyright: ignore[reportUnusedClass]
        def generic(self, args, kws):
            if len(args) == 2 and args[0] == args[1] and isinstance(args[0], Lanes):
                return signature(args[0], *args)
            return None

    def lower(context, builder, sig, args):
        return getattr(builder, str(on_real if sig.args[0].kind == "real" else on_whole))(*args)

    lower_builtin(symbol, Lanes, Lanes)(lower)


for _name, _on_whole, _on_real in (
    ("add", "add", "fadd"),
    ("sub", "sub", "fsub"),
    ("mul", "mul", "fmul"),
    ("truediv", None, "fdiv"),
    ("and_", "and_", None),
    ("or_", "or_", None),
    ("xor", "xor", None),
    ("lshift", "shl", None),
    ("rshift", "lshr", None),
):
    _binary(getattr(operator, _name), _on_whole, _on_real)
    _binary(getattr(operator, "i" + _name.rstrip("_")), _on_whole, _on_real)


def _unary_llvm(name: str, kind: Lanes):
    @intrinsic
    def operation(typingctx, v):
        def generate(context, builder, sig, args):
            return _llvm(builder, f"llvm.{name}.{_SUFFIX[kind.kind]}", _vector(kind.kind), args[0])

        return kind(kind), generate

    return operation


def _pair_llvm(name: str, kind: Lanes):
    @intrinsic
    def operation(typingctx, v, w):
        def generate(context, builder, sig, args):
            return _llvm(builder, f"llvm.{name}.{_SUFFIX[kind.kind]}", _vector(kind.kind), *args)

        return kind(kind, kind), generate

    return operation


def _counts_whole_lanes() -> bool:
    """Whether one instruction counts the bits of lanes. Other processors count those of bytes, and have to add."""
    features = config.CPU_FEATURES or get_host_cpu_features().flatten()
    return "+avx512vpopcntdq" in features.split(",")


_COUNTS_LANES = _counts_whole_lanes()
_BYTES = ir.VectorType(ir.IntType(8), 4 * LANES)


def _counts(builder, v):
    if _COUNTS_LANES:
        return _llvm(builder, "llvm.ctpop.v16i32", _vector("whole"), v)
    return builder.bitcast(_llvm(builder, "llvm.ctpop.v64i8", _BYTES, builder.bitcast(v, _BYTES)), _vector("whole"))


def _counted(builder, v):
    if _COUNTS_LANES:
        return v
    mask, byte, word = (_splat(builder, ir.Constant(_INDEX, n), "whole") for n in (0x00FF00FF, 8, 16))
    halves = builder.add(builder.and_(v, mask), builder.and_(builder.lshr(v, byte), mask))
    low = _splat(builder, ir.Constant(_INDEX, 0xFFFF), "whole")
    return builder.and_(builder.add(halves, builder.lshr(halves, word)), low)  # up to 4 · 255


@intrinsic
def counts(typingctx, v):
    """How many bits are set, in whatever parts are counted at once; up to 31 such counts may be added up."""
    return whole(whole), lambda context, builder, sig, args: _counts(builder, args[0])


@intrinsic
def counted(typingctx, v):
    """A sum of `counts` as a number."""
    return whole(whole), lambda context, builder, sig, args: _counted(builder, args[0])


@intrinsic
def popcount(typingctx, v):
    """How many bits are set."""
    return whole(whole), lambda context, builder, sig, args: _counted(builder, _counts(builder, args[0]))


nearest = _unary_llvm("rint", real)
larger = _pair_llvm("smax", whole)
smaller = _pair_llvm("smin", whole)


@intrinsic
def bit_length(typingctx, v):
    """The position of the highest bit plus one: the height of a column."""

    def generate(context, builder, sig, args):
        zeros = _llvm(builder, "llvm.ctlz.v16i32", _vector("whole"), args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(_splat(builder, ir.Constant(_INDEX, 32), "whole"), zeros)

    return whole(whole), generate


@intrinsic
def flipped(typingctx, v):
    """Every bit the other way round."""
    return whole(whole), lambda context, builder, sig, args: builder.not_(args[0])


# In and out of lanes --------------------------------------------------------------------------------------------------


@intrinsic
def spread(typingctx, value):
    """The same whole number in every lane."""

    def generate(context, builder, sig, args):
        narrow = context.cast(builder, args[0], sig.args[0], types.int32)
        return _splat(builder, narrow, "whole")

    return whole(value), generate


@intrinsic
def spread_real(typingctx, value):
    """The same real number in every lane."""
    return real(types.float64), lambda context, builder, sig, args: _splat(builder, args[0], "real")


@intrinsic
def as_real(typingctx, v):
    """Whole numbers as real ones, exactly."""
    return real(whole), lambda context, builder, sig, args: builder.sitofp(args[0], _vector("real"))


@intrinsic
def address(typingctx, array, index):
    """Where an element of a flat array lies, or one some places further on. Reading on from there costs nothing
    more: no count of references, no negative indices. The caller of the kernel keeps the array alive, and the kernel
    every index inside it.
    """

    def generate(context, builder, sig, args):
        if isinstance(sig.args[0], types.CPointer):
            return builder.gep(args[0], [args[1]])
        return builder.gep(context.make_array(sig.args[0])(context, builder, args[0]).data, [args[1]])

    return types.CPointer(array.dtype)(array, types.intp), generate


@intrinsic
def pointers_to(typingctx, kind, group):
    """A named tuple of this kind with the `address` of every array of a tuple; what is no array stays as it is."""
    arrays = [isinstance(part, types.Array) for part in group.types]
    parts = [
        types.CPointer(part.dtype) if is_array else part for part, is_array in zip(group.types, arrays, strict=True)
    ]

    def generate(context, builder, sig, args):
        elements = cgutils.unpack_tuple(builder, args[1])
        for i, part in enumerate(group.types):
            if arrays[i]:
                elements[i] = context.make_array(part)(context, builder, elements[i]).data
        return context.make_tuple(builder, sig.return_type, elements)

    return types.BaseTuple.from_types(parts, kind.instance_class)(kind, group), generate


@intrinsic
def fetch_and_add(typingctx, pointer):
    """A number, which then is one more; no two threads get the same."""

    def generate(context, builder, sig, args):
        return builder.atomic_rmw("add", args[0], ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(pointer), generate


def _place(builder, args, kind: str):
    return builder.bitcast(builder.gep(args[0], [args[1]]), _vector(kind).as_pointer())


@intrinsic
def load(typingctx, pointer, index):
    """Sixteen numbers from `index` on."""
    kind = real if pointer.dtype == types.float64 else whole

    def generate(context, builder, sig, args):
        value = builder.load(_place(builder, args, kind.kind))
        value.align = 4
        return value

    return kind(pointer, types.intp), generate


@intrinsic
def store(typingctx, pointer, index, v):
    """Write sixteen numbers from `index` on."""

    def generate(context, builder, sig, args):
        builder.store(args[2], _place(builder, args, sig.args[2].kind)).align = 4
        return context.get_dummy_value()

    return types.void(pointer, types.intp, v), generate


@intrinsic
def store_bytes(typingctx, pointer, index, v):
    """Write sixteen small numbers as bytes from `index` on."""

    def generate(context, builder, sig, args):
        small = ir.VectorType(ir.IntType(8), LANES)
        place = builder.bitcast(builder.gep(args[0], [args[1]]), small.as_pointer())
        builder.store(builder.trunc(args[2], small), place).align = 1
        return context.get_dummy_value()

    return types.void(pointer, types.intp, v), generate


# Across lanes ---------------------------------------------------------------------------------------------------------


def _neighbour(step: int):
    @intrinsic
    def operation(typingctx, v, edge):
        def generate(context, builder, sig, args):
            lanes = [lane + step if 0 <= lane + step < LANES else LANES for lane in range(LANES)]
            return builder.shuffle_vector(*args, ir.Constant(ir.VectorType(_INDEX, LANES), lanes))

        return whole(whole, whole), generate

    return operation


from_left, from_left_2, from_left_4, from_left_8 = (_neighbour(-step) for step in (1, 2, 4, 8))
from_right, from_right_2, from_right_4, from_right_8 = (_neighbour(step) for step in (1, 2, 4, 8))


def _first(number: int):
    @intrinsic
    def operation(typingctx, v):
        """The same with 0 in all but the first lanes: what only they would need is not computed."""

        def generate(context, builder, sig, args):
            lanes = [lane if lane < number else LANES for lane in range(LANES)]
            zero = ir.Constant(_vector(v.kind), None)
            return builder.shuffle_vector(args[0], zero, ir.Constant(ir.VectorType(_INDEX, LANES), lanes))

        return v(v), generate

    return operation


first_8, first_12 = _first(8), _first(12)


def _reduction(name: str, kind: Lanes, result):
    @intrinsic
    def operation(typingctx, v):
        def generate(context, builder, sig, args):
            full_name = f"llvm.vector.reduce.{name}.{_SUFFIX[kind.kind]}"
            value = _llvm(builder, full_name, _ELEMENT[kind.kind], args[0])
            return value if kind is real else builder.sext(value, ir.IntType(64))

        return result(kind), generate

    return operation


total = _reduction("add", whole, types.int64)
any_bits = _reduction("or", whole, types.int64)
largest = _reduction("smax", whole, types.int64)
smallest = _reduction("smin", whole, types.int64)
best = _reduction("fmax", real, types.float64)


@intrinsic
def total_real(typingctx, v):
    """The sum of sixteen real numbers; ours are on a grid, so that any order of addition gives the same."""

    def generate(context, builder, sig, args):
        zero = ir.Constant(ir.DoubleType(), -0.0)
        name = "llvm.vector.reduce.fadd.v16f64"
        return _llvm(builder, name, ir.DoubleType(), zero, args[0], fastmath=("reassoc",))

    return types.float64(real), generate


# Questions ------------------------------------------------------------------------------------------------------------


def _question(sign: str, kind: Lanes):
    @intrinsic
    def operation(typingctx, v, w):
        def generate(context, builder, sig, args):
            ask = builder.fcmp_ordered if kind is real else builder.icmp_signed
            return ask(sign, *args)

        return truth(kind, kind), generate

    return operation


above = _question(">", whole)
different = _question("!=", whole)
equal_real = _question("==", real)
above_real = _question(">", real)


@intrinsic
def select(typingctx, condition, yes, no):
    """Lane by lane `yes` where the condition holds, `no` elsewhere."""
    return yes(truth, yes, yes), lambda context, builder, sig, args: builder.select(*args)


@intrinsic
def bits(typingctx, v):
    """The sixteen answers as the sixteen low bits of a number, lane 0 first."""

    def generate(context, builder, sig, args):
        return builder.zext(builder.bitcast(args[0], ir.IntType(LANES)), ir.IntType(64))

    return types.int64(truth), generate


@intrinsic
def from_bits(typingctx, value):
    """The sixteen low bits of a number as sixteen answers."""

    def generate(context, builder, sig, args):
        return builder.bitcast(builder.trunc(args[0], ir.IntType(LANES)), _vector("truth"))

    return truth(types.int64), generate


def _scalar_llvm(name: str, *constants: int):
    @intrinsic
    def operation(typingctx, value):
        def generate(context, builder, sig, args):
            extra = [ir.Constant(ir.IntType(1), constant) for constant in constants]
            return _llvm(builder, f"llvm.{name}.i64", ir.IntType(64), args[0], *extra)

        return types.int64(types.int64), generate

    return operation


count_bits = _scalar_llvm("ctpop")
lowest_bit = _scalar_llvm("cttz", 0)
leading_zeros = _scalar_llvm("ctlz", 0)
