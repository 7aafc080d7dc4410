"""The learners by name, each loaded only when it is used, and what their options were in older runs."""

from typing import Any

from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile
from apprenti.core.plugins import Method, Older, Registry, load, plugins

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


def older_options(method: str) -> Older:
    """What the options of a method were in older runs."""
    return next((each.older[method] for each in plugins() if method in each.older), Older())


def renamed(method: str, stored: JsonData) -> JsonData:
    """The options of a run folder under the names of today; what has no such name is left as it is."""
    older = older_options(method)
    options = _in_iterations(older.divided, {**older.added, **stored})
    names = older.names
    now = {name if names.get(name) in options else names.get(name, name): value for name, value in options.items()}
    now.pop("", None)
    return now


def _in_iterations(divided: tuple[str, str], options: JsonData) -> JsonData:
    """Iterations of a number of episodes each, from a number of games and a way to divide it, if there are both."""
    total, part = divided
    if not (total in options and part in options):
        return options
    for name in (total, part):
        if type(options[name]) is not int or options[name] < 1:
            raise BadFile(f"{name} of this run is a whole number from 1 on, not {options[name]!r:.40}: put it right.")
    divisor, games = min(options.pop(part), options[total]), options.pop(total)
    quotient, rest = divmod(games, divisor)
    if rest:
        raise BadFile(
            f"this run has {total} {games} and {part} {divisor}, but iterations are equally long now: start it anew."
        )
    episodes, iterations = (quotient, divisor) if part == "generations" else (divisor, quotient)
    return {**options, "iterations": iterations, "episodes": episodes}
