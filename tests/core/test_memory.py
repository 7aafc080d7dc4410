"""Memory in words."""

from apprenti.core.machine import GB, free_memory, in_words


def test_sizes_in_words():
    assert in_words(1_310_000) == "1.31 MB"
    assert in_words(21 * GB) == "21 GB"
    assert in_words(2**200) == "1.61e+51 GB"
    assert in_words(10**2000) == "10^1991 GB"


def test_some_memory_is_free_and_not_more_than_there_can_be():
    assert 10**7 < free_memory() < 2**63
