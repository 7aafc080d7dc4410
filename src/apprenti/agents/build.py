"""From a description to an agent: the kinds there are, and the lines that describe one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apprenti.core.data import Arrays
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import Agent, Rules
from apprenti.core.registry import Entry, Registry

KINDS: Registry[Callable[..., Agent]] = Registry(
    "kind of agent",
    {
        "random": Entry("apprenti.agents.random:RandomAgent", "any legal move"),
        "random-moves": Entry("apprenti.agents.random:RandomAgent", "any legal move"),
        "q-values": Entry("apprenti.agents.q_values:QValuesAgent", "a learned table of any game"),
        "mcts": Entry("apprenti.agents.mcts:MctsAgent", "Monte-Carlo tree search"),
        "table": Entry("apprenti.agents.mnk.table:TableAgent", "a learned table of an m,n,k-game"),
        "perfect": Entry("apprenti.agents.mnk.perfect:PerfectAgent", "the perfect player of small m,n,k-games"),
        "one-ply": Entry("apprenti.agents.mnk.one_ply:OnePlyAgent", "wins if it can, blocks if it must, else any cell"),
        "threats": Entry("apprenti.agents.mnk.threats:ThreatAgent", "alpha-beta and runs of threats, m,n,k-games"),
        "n-tuple": Entry("apprenti.agents.mnk.n_tuple:NTupleAgent", "learned tables over the lines of an m,n,k-board"),
        "filtering": Entry("apprenti.agents.tetris.described:filtering", "the best by one criterion after another"),
        "linear": Entry("apprenti.agents.tetris.linear:LinearAgent", "a weighted sum of criteria"),
        "regimes": Entry("apprenti.agents.tetris.regimes:read_regimes", "other weights when the pile is higher"),
        "relu": Entry("apprenti.agents.tetris.relu:read_relu", "a weighted sum of criteria and rectified linear units"),
        "lookahead": Entry("apprenti.agents.tetris.lookahead:LookaheadAgent", "a weighted sum, one piece further"),
        "evaluation": Entry("apprenti.agents.tetris.described:evaluation", "the Tetris Bot's four criteria"),
        "optimal": Entry("apprenti.agents.tetris.optimal:read_optimal", "the optimal player of a small board"),
        "network": Entry("apprenti.agents.tetris.network:read_network", "a network on afterstates"),
        "q-table": Entry("apprenti.agents.tetris.q_table:read_q_table", "a table of a small game of Tetris"),
        "q-network": Entry("apprenti.agents.tetris.q_network:read_q_network", "a network on actions"),
        "luzhanqi-random": Entry("apprenti.agents.luzhanqi.simple:RandomPlayer", "any move"),
        "luzhanqi-attacks": Entry("apprenti.agents.luzhanqi.simple:AttackingPlayer", "attacks if it can"),
        "luzhanqi-greedy": Entry("apprenti.agents.luzhanqi.one_ply:GreedyPlayer", "the best of one move"),
        "luzhanqi-expected": Entry("apprenti.agents.luzhanqi.one_ply:ExpectedValuePlayer", "one move, with beliefs"),
        "luzhanqi-monte-carlo": Entry("apprenti.agents.luzhanqi.monte_carlo:MonteCarloPlayer", "sampled worlds"),
        "luzhanqi-informed": Entry("apprenti.agents.luzhanqi.informed:InformedPlayer", "knows the enemy's layouts"),
        "luzhanqi-informed-monte-carlo": Entry(
            "apprenti.agents.luzhanqi.informed:InformedMonteCarloPlayer", "sampled worlds, knows the enemy's layouts"
        ),
        "luzhanqi-ismcts": Entry("apprenti.agents.luzhanqi.ismcts:IsmctsPlayer", "a tree over information sets"),
        "luzhanqi-network": Entry("apprenti.agents.luzhanqi.network:PolicyNetworkAgent", "a policy network"),
        "luzhanqi-learned-search": Entry(
            "apprenti.agents.luzhanqi.learned_search:LearnedSearchAgent", "sampled worlds with a policy network"
        ),
        "luzhanqi-actor": Entry("apprenti.agents.luzhanqi.actor:ActorAgent", "the report's actor"),
    },
    plugins="apprenti.agents",
)

ANY_GAME: Registry[Callable[[], Agent]] = Registry(
    "agent",
    {
        "random": Entry("apprenti.agents.random:RandomAgent", "any legal move of any game"),
        "mcts": Entry("apprenti.agents.mcts:MctsAgent", "Monte-Carlo tree search in any game"),
    },
    plugins="apprenti.agents",
)
"""Agents that need no description, by the names people use for them: those of every game, and those of packages."""


@dataclass(frozen=True)
class Line(Entry):
    """An agent that a line of text describes, `PREFIX:…`, and what stands behind the colon.

    Its reader is given the arguments, and the other agent with its rules, or None if the text has none.
    """

    arguments: bool = True
    agent: bool = False
    """Whether another agent ends the line, after a comma if there are arguments."""
    program: bool = False
    """Whether it starts a program."""


DESCRIBED: Registry[Callable[..., tuple[Agent, str, Rules]]] = Registry(
    "description",
    {
        "mcts": Line("apprenti.agents.mcts:read_mcts", "mcts:PLAYOUTS or mcts:PLAYOUTS,C"),
        "filtering": Line("apprenti.agents.tetris.described:read_filtering", "filtering:holes,lines"),
        "evaluation": Line("apprenti.agents.tetris.described:read_evaluation", "evaluation:0.5,0.5,0.6,0.2,norm2"),
        "linear": Line("apprenti.agents.tetris.described:read_linear", "linear:holes=-4,lines=1"),
        "expectimax": Line(
            "apprenti.agents.tetris.described:read_expectimax", "expectimax:NAME", arguments=False, agent=True
        ),
        "preview": Line("apprenti.agents.tetris.described:read_preview", "preview:NAME", arguments=False, agent=True),
        "epsilon-greedy": Line(
            "apprenti.agents.tetris.described:read_epsilon_greedy", "epsilon-greedy:0.1,NAME", agent=True
        ),
        "softmax": Line("apprenti.agents.tetris.described:read_softmax", "softmax:TEMPERATURE,NAME", agent=True),
        "layouts": Line("apprenti.agents.luzhanqi.other_layouts:read_layouts", "layouts:uniform,NAME", agent=True),
        "engine": Line("apprenti.agents.luzhanqi.engine.player:read_engine", "engine:PROGRAM", program=True),
    },
)
"""Agents that a line of text describes, by what stands before the colon."""


def build(kind: str, config: Mapping[str, Any], arrays: Arrays | None = None) -> Agent:
    """An agent of a kind with its options, and its `arrays` if it has any."""
    maker = KINDS.load(kind)
    try:
        return maker(**config, **({"arrays": arrays} if arrays else {}))
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadAgent(f"this is not how an agent of kind {kind} is described ({error}).") from None
