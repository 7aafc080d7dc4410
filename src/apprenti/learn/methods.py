"""The learners by their names on the command line; each is loaded only when it is used."""

from typing import Any

from apprenti.core.plugins import Method, Registry, load

METHODS: Registry[Any] = Registry(
    "method",
    "learners",
    {
        "tabular": Method(
            "apprenti.learn.tabular_q_learning:TabularQLearning",
            "Q-learning by self-play with a table, for any game (Watkins 1989)",
            minute={"iterations": 20, "episodes": 500},
        ),
    },
)

FROM_GAMES: Registry[Any] = Registry("agent that learns from games", "from_games")
"""For each kind of agent a function of an agent, its decisions in a game (observation and move) and its score, 1, ½ or
0. It returns the agent that has learned from that game; the one that played stays as it was."""


def learner_class(method: str) -> Any:
    """The class of a method; MissingExtra if it needs one that is not installed."""
    return METHODS.load(method)


def config_class(method: str) -> Any:
    """The class of the options of a method, which is its command line; nothing heavy is loaded for it."""
    where = getattr(METHODS.get(method), "config", "")
    return load(where) if where else learner_class(method).Config
