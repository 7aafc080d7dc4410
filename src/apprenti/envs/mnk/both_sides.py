"""m,n,k-games for PettingZoo: `apprenti/mnk_v0`, two agents who move in turn.

    from apprenti.envs.mnk import env
    game = env(size="5x5x4")

An observation is two planes, one's own marks and the other's, with an `action_mask` of the free cells; the mask is in
`infos` too. The winner gets 1, the loser −1; a draw is 0.
"""

import copy
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from apprenti.core.errors import IllegalMove, UnknownName
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import MARKS, State

NAME = "apprenti/mnk_v0"
AGENTS = ("player_0", "player_1")
RENDER_MODES = ("human", "ansi")


def env(size: str = "3x3x3", render_mode: str | None = None) -> "MnkEnv":
    """A game: rows x columns x how many in a row, or tictactoe or gomoku."""
    return MnkEnv(size, render_mode)


class MnkEnv(AECEnv[str, dict[str, NDArray[np.int8]], int | None]):  # type: ignore[misc]
    """player_0 has X and begins, player_1 has O; an action is the number of a cell, row by row from 0."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": NAME, "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2,
    }  # fmt: skip

    def __init__(self, size: str = "3x3x3", render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("way to render", str(render_mode), RENDER_MODES)
        self.rules, self.render_mode = Rules.parse(size), render_mode
        rules = self.rules
        self.possible_agents = list(AGENTS)
        self.action_spaces = {agent: spaces.Discrete(rules.cells) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (rules.rows, rules.columns, 2), np.int8),
                    "action_mask": spaces.Box(0, 1, (rules.cells,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.state_space = spaces.Box(0, 1, (rules.rows, rules.columns, 2), np.int8)
        self.agents: list[str] = []
        self.position = State.start(rules)
        """The game so far, as the rest of the project has it."""

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The cells."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. There is no chance in it: all seeds give the same."""
        self.position = State.start(self.rules)
        self.agents = list(self.possible_agents)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._inform()

    def step(self, action: int | None) -> None:
        """Make a move; IllegalMove, and nothing changes, if the cell is taken or is none."""
        if not self.agents:
            raise IllegalMove("the game has not begun or is over: call reset first.")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove(f"{agent} has to move: None is only for agents whose game is over.")
        self.position = self.position.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self.position.outcome
        if outcome:
            self.terminations = dict.fromkeys(AGENTS, True)
            if outcome.winner is not None:
                self.rewards = {agent: 1.0 if player == outcome.winner else -1.0 for player, agent in enumerate(AGENTS)}
        self.agent_selection = AGENTS[self.position.to_move]
        self._accumulate_rewards()
        self._inform()
        if self.render_mode == "human":
            self.render()

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """The cells an agent may choose now: none when it is not its turn."""
        mask = np.zeros(self.rules.cells, np.int8)
        if agent == AGENTS[self.position.to_move]:
            mask[list(self.position.legal_moves())] = 1
        return mask

    def _inform(self) -> None:
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _planes(self, player: int) -> NDArray[np.int8]:
        cells = np.array(list(self.position.cells)).reshape(self.rules.rows, self.rules.columns)
        return np.stack([cells == MARKS[player], cells == MARKS[1 - player]], axis=-1).astype(np.int8)

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """Its own marks, the other's, and the cells it may choose."""
        return {"observation": self._planes(AGENTS.index(agent)), "action_mask": self._mask(agent)}

    def state(self) -> NDArray[np.int8]:
        """The whole board: the plane of X and that of O."""
        return self._planes(0)

    def render(self) -> str | None:
        """The board as text: printed (human) or returned (ansi)."""
        text = self.position.notation.split()[0].replace("/", "\n")
        if self.render_mode == "human":
            print(text, end="\n\n", flush=True)
            return None
        return text

    def __copy__(self) -> "MnkEnv":
        """A game of its own: what a move changes is not shared."""
        return copy.deepcopy(self)

    def close(self) -> None:
        """Nothing has to be closed."""
