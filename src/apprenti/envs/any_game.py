"""Every game for PettingZoo: each player is an agent and sees what it knows (`AECEnv`).

    from apprenti.envs import any_game
    env = any_game.env(game="NAME")

Keywords are the options of the game's rules; `most_moves` and `text_length` for a game without an encoding of its own
(`envs/game.py`). An observation has `observation` and `action_mask`; the mask is in the infos too. Rewards: where
players meet, 1 for the winner and −1 for the loser at the end, 0 for everything else; in a game for one what a move
scores.
"""

import copy
import sys
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from apprenti.core.data import JsonData
from apprenti.core.errors import IllegalMove, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.seeds import Stream
from apprenti.envs.game import Encoding, EnvGame, GameEncoding, Mask, read_game

RENDER_MODES = ("human", "ansi")
Seen = dict[str, Any]


class AllSides(AECEnv[str, Seen, int]):  # type: ignore[misc]
    """A game in which all players are agents: `player_0`, who moves first, `player_1`, …"""

    metadata: ClassVar[dict[str, object]] = {
        "name": "game_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2,
    }  # fmt: skip

    def __init__(self, options: Encoding, players: int, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("way to render", str(render_mode), RENDER_MODES)
        self.options, self.render_mode = options, render_mode
        self.possible_agents = [f"player_{player}" for player in range(players)]
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = {}, {}
        for agent in self.possible_agents:
            seen, self.action_spaces[agent] = options.spaces()
            mask = spaces.Box(0, 1, options.empty_mask().shape, np.int8)
            self.observation_spaces[agent] = spaces.Dict({"observation": seen, "action_mask": mask})
        self._chance: Stream | None = None
        self.game: EnvGame | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: JsonData | None = None) -> None:
        """Begin a game. The games after a seed are a stream of their own: the next one comes with the next reset."""
        if seed is not None or self._chance is None:
            root = seed if seed is not None else int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
            self._chance = Stream.named(root, "environment")
        self.game = self.options.begin(self._chance, ())
        while self.game.outcome:  # a reduced army may be unable to move at all
            self.game = self.options.begin(self._chance, ())
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.look()

    @property
    def _game(self) -> Any:
        if self.game is None:
            raise IllegalMove("there is no game before reset().")
        return self.game

    def look(self) -> None:
        """Whose turn it is, and what each may do."""
        self.agent_selection = self.possible_agents[self._game.to_act]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        if self.render_mode == "human":
            self.render()

    def _mask(self, agent: str) -> Mask:
        own_turn = agent == self.possible_agents[self._game.to_act]
        mask: Mask = self._game.mask if own_turn else self.options.empty_mask()
        return mask

    def observe(self, agent: str) -> Seen:
        """What an agent knows, and what it may do; nothing while it is another one's turn."""
        planes = self._game.planes(self.possible_agents.index(agent))
        return {"observation": planes, "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise IllegalMove("the game has not begun or is over: call reset first.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMove(f"{agent} has to act: None is for agents whose game is over.")
        self._game.act(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self._game.rewards, strict=True))
        self._accumulate_rewards()
        outcome = self._game.outcome
        if outcome:
            self.terminations = dict.fromkeys(self.agents, not outcome.truncated)
            self.truncations = dict.fromkeys(self.agents, outcome.truncated)
        self.look()
        if outcome:
            for info in self.infos.values():
                info["outcome"] = outcome.reason.code

    def render(self) -> str | None:
        """The whole board as text, with everything open: printed (human) or returned."""
        text = self.drawn(self.render_mode == "human" and sys.stdout.isatty())
        if self.render_mode != "human":
            return text
        print(text + "\n", flush=True)
        return None

    def drawn(self, colour: bool) -> str:
        """The state as text."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""

    def __copy__(self) -> "AllSides":
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.metadata["name"])


class GameAEC(AllSides):
    """Any game by its readable rules."""

    options: GameEncoding

    def __init__(self, game: str | AnyGame = "", render_mode: str | None = None, **options: object) -> None:
        form = read_game(game, options)
        super().__init__(form, form.game.players, render_mode)

    def drawn(self, colour: bool) -> str:
        return self.options.game.write_state(self._game.state).replace("/", "\n")


def raw_env(**options: Any) -> GameAEC:
    """The environment itself: an illegal action raises."""
    return GameAEC(**options)


def wrapped(env: AllSides) -> Any:
    """An environment with PettingZoo's usual wrappers: an illegal action loses the game."""
    ending = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ending))


def env(**options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an illegal action loses the game."""
    return wrapped(raw_env(**options))
