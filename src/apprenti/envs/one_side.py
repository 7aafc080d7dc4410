"""Every game for Gymnasium: one player, and any agent on the other sides.

    import apprenti.envs, gymnasium
    env = gymnasium.make("apprenti/Game-v0", game="NAME", opponent=apprenti.agent("mcts:100"))

Keywords are those below and the options of the game's rules; `most_moves` and `text_length` for a game without an
encoding of its own (`envs/game.py`).
"""

import copy
import sys
from collections.abc import Sequence
from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import RandomAgent
from apprenti.core.data import JsonData
from apprenti.core.errors import IllegalMove, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import Stream, pick
from apprenti.envs.game import Encoding, EnvGame, GameEncoding, Info, Numbers, read_game

ILLEGAL = ("terminate", "raise")
RENDER_MODES = ("human", "ansi")
FILLER = RandomAgent()
"""Who sets up no army of its own."""


class OneSide(gymnasium.Env[Numbers, Any]):  # type: ignore[misc]
    """A player against an agent, or alone.

    `opponent`: anything with `choose(observation, legal, rng)`, and `arrange(rules, rng)` if it sets up an army; None
    for any legal move. `side`: the name of a side, or `both`: each in turn. `illegal`: `terminate` the game as lost, or
    `raise`. The mask is in the infos, and in `action_masks()`. The reward is 1 for a game won, −1 for one lost, 0 for
    everything else; in a game for one what a move scores.
    """

    metadata: ClassVar[dict[str, object]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        options: Encoding,
        sides: Sequence[str],
        opponent: AnyAgent | None = None,
        side: str = "both",
        illegal: str = "terminate",
        render_mode: str | None = None,
    ) -> None:
        for what, chosen, known in (
            ("side", side, (*sides, "both")),
            ("way to treat an illegal action", illegal, ILLEGAL),
            ("way to render", render_mode or RENDER_MODES[0], RENDER_MODES),
        ):
            if chosen not in known:
                raise UnknownName(what, str(chosen), known)
        self.options, self.sides = options, tuple(sides)
        self.opponent, self.side, self.illegal, self.render_mode = opponent, side, illegal, render_mode
        self.observation_space, self.action_space = options.spaces()
        self.game: EnvGame | None = None
        self.player = 0
        """The side the player has in this game."""
        self._games = 0
        self._chance: Stream | None = None
        """What is dealt, and the layouts that are drawn."""
        self._opponents_chance: Stream | None = None
        """The opponent's own stream: from the other one it could tell what was drawn for the player."""
        self._over = True

    def reset(self, *, seed: int | None = None, options: JsonData | None = None) -> tuple[Numbers, Info]:
        """Begin a game. The games after a seed are a stream of their own: the next one comes with the next reset."""
        super().reset(seed=seed)
        if seed is not None or self._chance is None:
            root = seed if seed is not None else int(self.np_random.integers(2**62))
            self._chance, self._games = Stream.named(root, "environment"), 0
            self._opponents_chance = Stream.named(root, "opponent")
        turns = range(len(self.sides)) if self.side == "both" else (self.sides.index(self.side),)
        self.player, self._games = turns[self._games % len(turns)], self._games + 1
        self._over = False
        self._begin(self._chance)
        while self._game.outcome:  # a reduced army may be unable to move at all
            self._begin(self._chance)
        self._show()
        return self._game.planes(self.player), self.info()

    def _begin(self, chance: Stream) -> None:
        self.game = self.new_game(chance)
        self._let_opponent_move()

    def new_game(self, chance: Stream) -> EnvGame:
        """A game before its first move."""
        own = [seat == self.player for seat in range(len(self.sides))]
        agents = tuple(FILLER if mine else self.opponent or FILLER for mine in own)
        return self.options.begin(chance, agents, [chance if mine else self.opponents_chance for mine in own])

    @property
    def opponents_chance(self) -> Stream:
        """The stream that the opponent may draw from."""
        assert self._opponents_chance is not None
        return self._opponents_chance

    @property
    def _game(self) -> Any:
        if self.game is None or self._over:
            raise IllegalMove("the game is over or has not begun: call reset().")
        return self.game

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, Info]:
        game = self._game
        try:
            game.act(index(action))
        except IllegalMove:
            if self.illegal == "raise":
                raise
            self._over = True
            info = {"action_mask": self.options.empty_mask(), "illegal_action": True, "outcome": "illegal"}
            return game.planes(self.player), -1.0, True, False, info
        self._let_opponent_move()
        outcome, info = game.outcome, self.info()
        self._show()
        if outcome:
            self._over = True
            info["outcome"] = outcome.reason.code
        terminated, truncated = (not outcome.truncated, outcome.truncated) if outcome else (False, False)
        return game.planes(self.player), game.rewards[self.player], terminated, truncated, info

    def _let_opponent_move(self) -> None:
        """The opponent's moves, until it is the player's turn or the game is over."""
        game, chance = self._game, self.opponents_chance
        while not game.outcome and game.to_act != self.player:
            if self.opponent is None:
                game.act(int(pick(chance, np.flatnonzero(game.mask).tolist())))
            else:
                seen = game.state.observation(game.to_act)
                game.play(self.opponent.choose(seen, game.state.legal_moves(), chance))

    def info(self) -> Info:
        assert self.game is not None
        return {"action_mask": self.game.mask, "player": self.player}

    def action_masks(self) -> NDArray[np.bool_]:
        """For each action whether it is legal now (the name MaskablePPO of sb3-contrib asks for)."""
        return (self.options.empty_mask() if self._over else self._game.mask).astype(np.bool_)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as the player sees it, as text."""
        if self.game is None or self.render_mode is None:
            return None
        text = self.drawn(self.render_mode == "human" and sys.stdout.isatty())
        if self.render_mode == "ansi":
            return text + "\n"
        print(text + "\n", flush=True)
        return None

    def drawn(self, colour: bool) -> str:
        """What the player sees as text."""
        raise NotImplementedError

    def __copy__(self) -> "OneSide":
        return copy.deepcopy(self)


class GameEnv(OneSide):
    """Any game by its readable rules."""

    options: GameEncoding

    def __init__(
        self,
        game: str | AnyGame = "",
        opponent: AnyAgent | None = None,
        side: str = "both",
        illegal: str = "terminate",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        form = read_game(game, options)
        super().__init__(form, form.game.sides, opponent, side, illegal, render_mode)

    def drawn(self, colour: bool) -> str:
        assert self.game is not None
        return self.options.game.write_observation(self.game.state.observation(self.player)).replace("/", "\n")
