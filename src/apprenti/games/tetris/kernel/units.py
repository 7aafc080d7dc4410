"""A small network: a weighted sum of criteria, and rectified linear units beside it.

The value of a placement is s₀ + Σ ± max(0, sₖ + bias), where every s is a weighted sum of the same criteria. These do
not depend on weights: LLVM computes them once for the sum and all units.
"""

from apprenti.core.compiled import inlined
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.lanes import above_real, address, select, spread_real


@inlined
def sums(weights):
    """How many weighted sums there are: the plain one is the first, then that of each unit."""
    return int(weights[at.UNITS]) + 1


@inlined
def weights_of(weights, k):
    """The weights of the kth sum."""
    return address(weights, k * at.WEIGHTS_SIZE)


@inlined
def counted_as(own, sum_):
    """What a sum adds to the value; the plain one is never too small."""
    return max(sum_, own[at.LEAST]) * own[at.SIGN]


@inlined
def counted_as_lanes(own, sums_):
    """The same for the drops at all columns."""
    least = spread_real(own[at.LEAST])
    return select(above_real(sums_, least), sums_, least) * spread_real(own[at.SIGN])
