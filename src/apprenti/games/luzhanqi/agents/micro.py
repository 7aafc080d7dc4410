"""The micro game whole: every deal of layouts, each as likely, and every line of play; NashConv of who plays it."""

from collections.abc import Hashable, Iterator
from functools import cache

import numpy as np

from apprenti.arena.best_response import InformationSet, Tree, Values
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.layout import placements
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.state import State

DRAWS = 32
"""How often an agent is asked that does not say how likely its moves are."""


def layouts_of(rules: Rules, placed: str = "") -> Iterator[str]:
    """All layouts."""
    letters = placements(placed, rules)
    if not letters:
        yield placed
    for letter in letters:
        yield from layouts_of(rules, placed + letter)


def information(seen: Observation) -> Hashable:
    """What tells a player's information sets apart: the own layout and the public history."""
    return seen.layout, seen.record.moves if seen.record else ()


MICRO = Rules.preset("micro")


@cache
def micro_tree(rules: Rules = MICRO) -> Tree:
    """All games of a small army from layouts that are dealt, each pair as likely."""
    layouts = list(layouts_of(rules))
    deals = [State.start(south, north, rules) for south in layouts for north in layouts]
    return Tree(((state, 1 / len(deals)) for state in deals), information)


def probabilities(agent: AnyAgent, known: InformationSet) -> Values:
    """How likely an agent plays each move of an information set: as it says, or by asking it often."""
    if type(agent) is PolicyNetworkAgent:  # one that searches too does not play as its network alone would
        answer = agent.policy(known.observation, known.legal)
        return np.asarray(answer[0] if isinstance(answer, tuple) else answer)
    shares = np.zeros(len(known.legal))
    for number in range(DRAWS):
        move = agent.choose(known.observation, known.legal, Stream.named(1, "policy", known.first, number))
        shares[known.legal.index(move)] += 1 / DRAWS
    return shares


def nash_conv(agent: AnyAgent, tree: Tree | None = None) -> float:
    """NashConv of an agent in the micro game, setting up left to chance."""
    tree = tree or micro_tree()
    return tree.nash_conv(tree.policy(lambda known: probabilities(agent, known)))
