"""The learners by their names on the command line; each is loaded only when it is used."""

from importlib import import_module
from typing import Any

from apprenti.core.errors import UnknownName

METHODS = {
    "ga": ("genetic_algorithm", "GeneticAlgorithm", "genetic algorithm, with every option of the Tetris Bot report"),
    "ce": ("cross_entropy", "CrossEntropy", "noisy cross-entropy (Szita and Lőrincz 2006)"),
    "cma": ("cma_es", "CmaEs", "covariance matrix adaptation (Hansen), on weights of unit length"),
}


def learner_class(method: str) -> Any:
    """The class of a method; its `Config` is its command line."""
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    module, name, _ = METHODS[method]
    return getattr(import_module(f"apprenti.learn.{module}"), name)
