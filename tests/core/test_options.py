"""Options say what they are, to several who ask at once too."""

from concurrent.futures import ThreadPoolExecutor

from apprenti.core.data import help_of
from apprenti.games.tetris.learn.genetic_algorithm import GeneticConfig


def test_threads_that_ask_at_once_are_all_told():
    """In Python 3.11 two threads that parse at once meet a SystemError."""
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(help_of, [GeneticConfig] * 48))
    assert all(each == told[0] for each in told)
    assert told[0]["population"]
