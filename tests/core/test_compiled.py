"""How parts of kernels are compiled: what is lent to them, and what they may not do."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from apprenti.core.compiled import kernel, lent


@lent
def add_up(numbers):
    total = 0
    for number in numbers:
        total += number
    return total


@lent
def returned(numbers):
    return numbers


@lent
def made(count):
    return np.zeros(count).sum()


@kernel
def sum_of_rows(table):
    total = 0
    for row in table:
        total += add_up(row)
    return total


@kernel
def given_back(numbers):
    return returned(numbers)


@kernel
def sum_of_new(count):
    return made(count)


def test_a_lent_array_keeps_its_owner():
    table = np.arange(12).reshape(3, 4)
    for _ in range(100):
        assert sum_of_rows(table[1:]) == 60
    assert (table == np.arange(12).reshape(3, 4)).all()


def test_a_part_that_is_lent_arrays_returns_none():
    with pytest.raises(TypeError, match="returned returns an array"):
        given_back(np.arange(3))


def test_a_part_that_is_lent_arrays_makes_none():
    with pytest.raises(TypingError, match="empty"):
        sum_of_new(3)
