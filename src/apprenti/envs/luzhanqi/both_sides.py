"""Luzhanqi for PettingZoo: both players take turns, each sees what it knows (`AECEnv`)."""

import copy
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from apprenti.core.errors import IllegalMove, UnknownName
from apprenti.core.seeds import Stream
from apprenti.envs.luzhanqi.game import Game
from apprenti.envs.luzhanqi.options import Options, read_options

AGENTS = ("player_0", "player_1")
"""South, who moves first, and north."""
RENDER_MODES = ("human", "ansi")
Seen = dict[str, Any]


class LuzhanqiAEC(AECEnv[str, Seen, int]):  # type: ignore[misc]
    """A game for two agents. Keywords: `rules`, `actions`, `setup` (see `Options`), and `render_mode`.

    An observation has `observation` (planes, see `games/luzhanqi/planes.py`) and `action_mask`; the mask is in the
    infos too. Rewards: 1 for the winner and −1 for the loser at the end, 0 for everything else.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "luzhanqi_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("way to render", str(render_mode), RENDER_MODES)
        self.options: Options = read_options(options)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        seen, self._actions = {}, {}
        for agent in AGENTS:
            box, self._actions[agent] = self.options.spaces()
            mask = spaces.Box(0, 1, (self.options.size,), np.int8)
            seen[agent] = spaces.Dict({"observation": box, "action_mask": mask})
        self._observations = seen
        self._chance: Stream | None = None
        self.game: Game | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent observes."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent can do."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The games after a seed are a stream of their own: the next one comes with the next reset."""
        if seed is not None or self._chance is None:
            root = seed if seed is not None else int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
            self._chance = Stream.named(root, "environment")
        self.game = self._new_game(self._chance)
        while self.game.outcome:  # a reduced army may be unable to move at all
            self.game = self._new_game(self._chance)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._look()

    def _new_game(self, chance: Stream) -> Game:
        if self.options.setup == "placements":
            return Game(self.options, ("", ""))
        return Game(self.options, (self.options.layout(chance), self.options.layout(chance)))

    @property
    def _game(self) -> Game:
        if self.game is None:
            raise IllegalMove("there is no game before reset().")
        return self.game

    def _look(self) -> None:
        """Whose turn it is, and what each may do."""
        self.agent_selection = AGENTS[self._game.to_act]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        if self.render_mode == "human":
            self.render()

    def _mask(self, agent: str) -> Any:
        own_turn = agent == AGENTS[self._game.to_act]
        return self._game.mask if own_turn else self.options.empty_mask()

    def observe(self, agent: str) -> Seen:
        """What an agent knows, and what it may do; nothing while it is the other one's turn."""
        return {"observation": self._game.planes(AGENTS.index(agent)), "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; IllegalMove for what the mask does not allow."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove(f"{agent} has to act: None is for agents whose game is over.")
        self._game.act(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self._game.outcome
        if outcome:
            for player, name in enumerate(AGENTS):
                self.rewards[name] = 0.0 if outcome.winner is None else 1.0 if outcome.winner == player else -1.0
                self.terminations[name], self.truncations[name] = not outcome.truncated, outcome.truncated
        self._accumulate_rewards()
        self._look()
        if outcome:
            for name in AGENTS:
                self.infos[name]["outcome"] = outcome.reason.code

    def render(self) -> str | None:
        """The whole board as text, with everything open."""
        return self._game.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""

    def __copy__(self) -> "LuzhanqiAEC":
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.metadata["name"])


def raw_env(**options: Any) -> LuzhanqiAEC:
    """The environment itself: an illegal action raises."""
    return LuzhanqiAEC(**options)


def env(**options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an illegal action loses the game."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
