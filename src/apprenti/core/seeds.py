"""Named streams of random numbers.

A stream depends on its root seed and its name alone, so that game 17 of an evaluation is the same game whether it is
played first, last, by another thread or on another machine. The generator is SplitMix64 (Steele, Lea, Flood 2014): one
64-bit number of state, the same few lines here and in the compiled kernels (`core/dice.py`).
"""

import hashlib
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import BadOption

GOLDEN = 0x9E3779B97F4A7C15
T = TypeVar("T")
_MASK = 0xFFFFFFFFFFFFFFFF


class Chance(Protocol):
    """Anything with `random()`, uniform in [0, 1): a `Stream`, `random.Random`, a numpy Generator."""

    def random(self) -> float:
        """The next number."""


def mix(z: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit numbers that looks random."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def seed_of(root: int, *name: object) -> int:
    """The 64-bit seed of the stream with this name under this root seed."""
    text = "/".join(str(part) for part in (root, *name))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@dataclass
class Stream:
    """A stream of random numbers; its whole state is one number, so that it can be saved and restored."""

    state: int

    def __post_init__(self) -> None:
        if not isinstance(self.state, Integral):
            raise BadOption(f"the state of a stream is a whole number, not {self.state!r:.60}.")

    @classmethod
    def named(cls, root: int, *name: object) -> "Stream":
        """The stream with this name under this root seed."""
        return cls(seed_of(root, *name))

    def bits(self) -> int:
        """The next 64 random bits."""
        self.state = (self.state + GOLDEN) & _MASK
        return mix(self.state)

    def random(self) -> float:
        """Uniform in [0, 1), with 53 random bits."""
        return (self.bits() >> 11) * 2.0**-53

    def choice(self, options: Sequence[T]) -> T:
        """One of the options, each as likely; `random.Random` calls it so too."""
        return pick(self, options)

    def words(self, count: int) -> NDArray[np.uint64]:
        """The next `count` of `bits()`, at once."""
        states = np.uint64(self.state) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(GOLDEN)
        self.state = (self.state + count * GOLDEN) & _MASK
        z = (states ^ (states >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)), np.uint64)

    def randoms(self, count: int) -> NDArray[np.float64]:
        """The next `count` of `random()`, at once."""
        return np.asarray((self.words(count) >> np.uint64(11)) * 2.0**-53, np.float64)


def below(rng: Chance, n: int) -> int:
    """A whole number in 0 … n − 1."""
    return int(rng.random() * n)


def pick(rng: Chance, options: Sequence[T]) -> T:
    """One of the options, each as likely."""
    return options[below(rng, len(options))]


def shuffle(rng: Chance, items: MutableSequence[T]) -> None:
    """Put the items in random order, in place."""
    for last in range(len(items) - 1, 0, -1):
        other = below(rng, last + 1)
        items[last], items[other] = items[other], items[last]
