"""Luzhanqi for Gymnasium: one player, and any agent on the other side."""

import copy
from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from apprenti.core.errors import IllegalMove, UnknownName
from apprenti.core.seeds import Stream, pick
from apprenti.envs.luzhanqi.game import Game, Planes
from apprenti.envs.luzhanqi.options import Options, read_options
from apprenti.games.luzhanqi.board import parse_move

SIDES = {"south": (0,), "north": (1,), "both": (0, 1)}
ILLEGAL = ("terminate", "raise")
RENDER_MODES = ("human", "ansi")


class LuzhanqiEnv(gymnasium.Env[Planes, Any]):  # type: ignore[misc]
    """A player against an agent. Keywords: those of `Options`, and the ones below.

    `opponent`: anything with `choose(observation, legal, rng)`, and `arrange(rules, rng)` if it sets up its army; None
    for any legal move. `side`: `south` moves first, `north` second, `both` in turn. `illegal`: `terminate` the game as
    lost, or `raise`. The observation is the planes; the mask is in the infos, and in `action_masks()`. The reward is 1
    for a game won, −1 for one lost, 0 for everything else.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        opponent: Any = None,
        side: str = "both",
        illegal: str = "terminate",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        for what, chosen, known in (
            ("side", side, tuple(SIDES)),
            ("way to treat an illegal action", illegal, ILLEGAL),
            ("way to render", render_mode or RENDER_MODES[0], RENDER_MODES),
        ):
            if chosen not in known:
                raise UnknownName(what, str(chosen), known)
        self.options: Options = read_options(options)
        self.opponent, self.side, self.illegal, self.render_mode = opponent, side, illegal, render_mode
        self.observation_space, self.action_space = self.options.spaces()
        self.game: Game | None = None
        self.player = 0
        """The side the player has in this game."""
        self._games = 0
        self._chance: Stream | None = None
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        """Begin a game. The games after a seed are a stream of their own: the next one comes with the next reset."""
        super().reset(seed=seed)
        if seed is not None or self._chance is None:
            root = seed if seed is not None else int(self.np_random.integers(2**62))
            self._chance, self._games = Stream.named(root, "environment"), 0
        sides = SIDES[self.side]
        self.player, self._games = sides[self._games % len(sides)], self._games + 1
        self._begin()
        while self._game.outcome:  # a reduced army may be unable to move at all
            self._begin()
        self._show()
        return self._game.planes(self.player), self._info()

    def _begin(self) -> None:
        """Set up both armies, and let the opponent move if it moves first."""
        assert self._chance is not None
        own = "" if self.options.setup == "placements" else self.options.layout(self._chance)
        arrange = getattr(self.opponent, "arrange", None)
        other = arrange(self.options.game, self._chance) if arrange else self.options.layout(self._chance)
        self.game = Game(self.options, (own, other) if self.player == 0 else (other, own))
        self._over = False
        self._let_opponent_move()

    @property
    def _game(self) -> Game:
        if self.game is None or self._over:
            raise IllegalMove("the game is over or has not begun: call reset().")
        return self.game

    def step(self, action: Any) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the opponent answer."""
        game = self._game
        try:
            game.act(index(action))
        except IllegalMove:
            if self.illegal == "raise":
                raise
            self._over = True
            info = {"action_mask": self.options.empty_mask(), "illegal_action": True, "outcome": "illegal action"}
            return game.planes(self.player), -1.0, True, False, info
        self._let_opponent_move()
        outcome, info = game.outcome, self._info()
        self._show()
        if outcome is None:
            return game.planes(self.player), 0.0, False, False, info
        self._over = True
        info["outcome"] = outcome.reason.code
        reward = 0.0 if outcome.winner is None else 1.0 if outcome.winner == self.player else -1.0
        return game.planes(self.player), reward, not outcome.truncated, outcome.truncated, info

    def _let_opponent_move(self) -> None:
        """The opponent's moves, until it is the player's turn or the game is over."""
        game, chance = self._game, self._chance
        assert chance is not None
        while game.array is not None and not game.outcome and game.to_act != self.player:
            if self.opponent is None:
                game.act(int(pick(chance, np.flatnonzero(game.mask).tolist())))
            else:
                seen = game.state.observation(1 - self.player)
                game.move(*parse_move(self.opponent.choose(seen, seen.legal_moves(), chance)))

    def _info(self) -> dict[str, Any]:
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
        return self.game.render(self.render_mode, self.player)

    def __copy__(self) -> "LuzhanqiEnv":
        return copy.deepcopy(self)
