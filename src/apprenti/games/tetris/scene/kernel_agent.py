"""Linear players of Tetris by the kernel's values: the same choices, many times faster."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.agents.ties import TIES
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.players import CompiledPlayer, placement_values, why_not
from apprenti.games.tetris.fast.tables import Plan
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation

_COMPILER = ThreadPoolExecutor(1, "compiler")
_COMPILED: dict[Plan, Future[Any]] = {}


def _compiling(player: CompiledPlayer, rules: Rules) -> Future[Any]:
    """Compile what a player needs, once, while others go on."""
    plan = player.prepared(rules)[0]
    if plan not in _COMPILED:
        board = Board.empty(rules.width, rules.height, rules.hidden)
        _COMPILED[plan] = _COMPILER.submit(placement_values, rules, player, board, rules.pieces.letters[0])
    return _COMPILED[plan]


@dataclass(frozen=True)
class KernelAgent:
    """The choices of a linear player, from the kernel's values."""

    agent: LinearAgent
    player: CompiledPlayer
    compiling: Future[Any]

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        if not self.compiling.done():
            return self.agent.choose(observation, legal, rng)
        values = placement_values(observation.rules, self.player, observation.board, observation.piece)
        return TIES[self.agent.ties](observation, legal, [values[each.rotation, each.column] for each in legal], rng)


def quick(agent: LinearAgent, rules: Rules) -> AnyAgent:
    """The agent itself where the kernel does not play these rules."""
    if why_not(rules) is not None:
        return agent
    player = agent.compiled(rules)
    return KernelAgent(agent, player, _compiling(player, rules))
