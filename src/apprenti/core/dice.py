"""The compiled half of `core/seeds.py`: the same numbers, from a state that the caller keeps."""

import numpy as np

from apprenti.core.compiled import lent
from apprenti.core.seeds import GOLDEN

_GOLDEN = np.uint64(GOLDEN)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@lent
def next_bits(state):
    """Draw the next 64 bits from the stream whose state is `state[0]`."""
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return z ^ (z >> _S31)


@lent
def next_random(state):
    """Draw from the stream whose state is `state[0]`: uniform in [0, 1)."""
    return (next_bits(state) >> _S11) * 2.0**-53
