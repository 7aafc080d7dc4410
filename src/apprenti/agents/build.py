"""From a description to an agent: the kinds there are, and the lines that describe one."""

from collections.abc import Callable, Mapping
from typing import Any

from apprenti.core.data import Arrays
from apprenti.core.errors import BadAgent
from apprenti.core.plugins import Entry, Line, Registry
from apprenti.core.protocols import Agent, Rules

KINDS: Registry[Callable[..., Agent]] = Registry(
    "kind of agent",
    "agent_kinds",
    {
        "random": Entry("apprenti.agents.random:RandomAgent", "any legal move"),
        "random-moves": Entry("apprenti.agents.random:RandomAgent", "any legal move"),
        "q-values": Entry("apprenti.agents.q_values:QValuesAgent", "a learned table of any game"),
        "mcts": Entry("apprenti.agents.mcts:MctsAgent", "Monte-Carlo tree search"),
    },
)

ANY_GAME: Registry[Callable[[], Agent]] = Registry(
    "agent",
    "agents",
    {
        "random": Entry("apprenti.agents.random:RandomAgent", "any legal move of any game"),
        "mcts": Entry("apprenti.agents.mcts:MctsAgent", "Monte-Carlo tree search in any game"),
    },
)
"""Agents that need no description, by the names people use for them: those of every game, and those of packages."""

DESCRIBED: Registry[Callable[..., tuple[Agent, str, Rules]]] = Registry(
    "description", "lines", {"mcts": Line("apprenti.agents.mcts:read_mcts", "mcts:PLAYOUTS or mcts:PLAYOUTS,C")}
)
"""Agents that a line of text describes, by what stands before the colon."""


def build(kind: str, config: Mapping[str, Any], arrays: Arrays | None = None) -> Agent:
    """An agent of a kind with its options, and its `arrays` if it has any."""
    maker = KINDS.load(kind)
    try:
        return maker(**config, **({"arrays": arrays} if arrays else {}))
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadAgent(f"this is not how an agent of kind {kind} is described ({error}).") from None
