"""Streams are named, reproducible, and the same in Python and in compiled code."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.compiled import kernel
from apprenti.core.dice import next_random
from apprenti.core.seeds import Stream, below, pick, seed_of, shuffle


@kernel()
def _drawn(state, count):
    out = np.empty(count)
    for i in range(count):
        out[i] = next_random(state)
    return out


@given(st.integers(0, 2**64 - 1))
def test_compiled_and_python_streams_draw_the_same_numbers(seed):
    stream = Stream(seed)
    assert [stream.random() for _ in range(20)] == list(_drawn(np.array([seed], np.uint64), 20))


@given(st.integers(0, 2**64 - 1), st.integers(0, 40))
def test_many_at_once_are_the_same_as_one_by_one(seed, count):
    together, apart = Stream(seed), Stream(seed)
    assert together.randoms(count).tolist() == [apart.random() for _ in range(count)]
    assert together.state == apart.state


def test_splitmix_matches_its_published_sequence():
    # Vigna's reference implementation, seed 1234567
    stream = Stream(1234567)
    assert [stream.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_stream_depends_on_every_part_of_its_name():
    seeds = {seed_of(1, "game", i, part) for i in range(50) for part in ("pieces", "player")} | {seed_of(2, "game", 0)}
    assert len(seeds) == 101


def test_a_restored_stream_goes_on_where_it_was():
    stream = Stream.named(7, "x")
    stream.random()
    copy = Stream(stream.state)
    assert [stream.random() for _ in range(5)] == [copy.random() for _ in range(5)]


def test_any_generator_with_random_can_be_used():
    for rng in (random.Random(1), np.random.default_rng(1), Stream(1)):
        assert 0 <= below(rng, 7) < 7
        assert pick(rng, "abc") in "abc"


def test_draws_of_many_streams_are_uniform():
    # the p-values of χ² tests of 200 streams are themselves uniform (Kolmogorov–Smirnov at 1 %)
    from scipy.special import gammaincc

    p_values = []
    for root in range(200):
        stream = Stream.named(root, "uniform")
        counts = np.bincount([below(stream, 7) for _ in range(2_100)], minlength=7)
        p_values.append(gammaincc(3, ((counts - 300) ** 2 / 300).sum() / 2))
    steps = np.arange(1, 201) / 200
    assert np.abs(np.sort(p_values) - steps).max() < 1.63 / 200**0.5


def test_shuffle_keeps_the_items():
    items = list(range(20))
    shuffle(Stream(3), items)
    assert items != list(range(20)) and sorted(items) == list(range(20))
