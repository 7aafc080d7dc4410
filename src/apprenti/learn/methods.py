"""The learners by their names on the command line; each is loaded only when it is used."""

from typing import Any

from apprenti.core.registry import Entry, Registry

METHODS = Registry(
    "method",
    {
        "ga": Entry(
            "apprenti.learn.genetic_algorithm:GeneticAlgorithm",
            "genetic algorithm, with every option of the Tetris Bot report",
        ),
        "ce": Entry("apprenti.learn.cross_entropy:CrossEntropy", "noisy cross-entropy (Szita and Lőrincz 2006)"),
        "cma": Entry("apprenti.learn.cma_es:CmaEs", "covariance matrix adaptation (Hansen), on weights of unit length"),
        "sarsa": Entry("apprenti.learn.sarsa:Sarsa", "SARSA by self-play on m,n,k-games, with tables (Amar 2020)"),
        "actor-critic": Entry(
            "apprenti.learn.actor_critic:ActorCritic", "actor-critic with traces, as the LuJunQi report proposes it"
        ),
        "ppo": Entry("apprenti.learn.deep.ppo:Ppo", "proximal policy optimisation by self-play, for luzhanqi"),
    },
)


def learner_class(method: str) -> Any:
    """The class of a method; its `Config` is its command line."""
    return METHODS.load(method)
