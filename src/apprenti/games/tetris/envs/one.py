"""Tetris for Gymnasium: `apprenti/Tetris-v0`, a placement at a time, and `apprenti/TetrisKeys-v0`, a key at a time."""

import copy
import sys
from operator import index
from time import sleep
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from apprenti.core.errors import BadOption, IllegalMove, UnknownName
from apprenti.core.seeds import seed_of
from apprenti.envs.game import Info
from apprenti.games.tetris.envs.game import CompiledGame, Game, ReadableGame
from apprenti.games.tetris.envs.options import Options
from apprenti.games.tetris.fast.batch import ILLEGAL
from apprenti.games.tetris.fast.keys import KEYS, rows_seen
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.state import End

RENDER_MODES = ("human", "ansi", "rgb_array")
STREAM = "environment"
"""The name of the stream of games under an environment's seed."""

Seen = dict[str, Any]


def stream_of(seed: int) -> int:
    """The state of the stream of games of an environment that was reset with a seed."""
    return seed_of(seed, STREAM)


def spaces_of(options: Options, keys: bool) -> tuple[spaces.Dict, spaces.Discrete]:
    """What is observed, and what can be done."""
    rules = options.game
    kinds = len(rules.pieces.pieces) + 1  # the last one: no piece
    shape = rows_seen(rules) if keys else rules.height, rules.width
    seen: dict[str, spaces.Space[Any]] = {"piece": spaces.Discrete(kinds)}
    if options.seen:
        most = float(rules.width * rules.height * (rules.height + 1))  # no criterion is larger
        seen["criteria"] = spaces.Box(-most, most, (Measures(rules, options.seen).size,), np.float32)
    else:
        seen["board"] = spaces.Box(0, 1, shape, np.uint8)
    if keys:
        seen["falling"] = spaces.Box(0, 1, shape, np.uint8)
    if rules.preview:
        seen["next_piece"] = spaces.Discrete(kinds)
    rotations = max(len(piece.rotations) for piece in rules.pieces.pieces)
    return spaces.Dict(seen), spaces.Discrete(len(KEYS) if keys else rotations * rules.width)


class TetrisEnv(gymnasium.Env[Seen, Any]):  # type: ignore[misc]
    """One action is one placement: rotation × width + column. The options are the fields of `Options`."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 8}
    keys = False
    usual_rules = "simplified"

    def __init__(self, render_mode: str | None = None, **options: object) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("way to render", str(render_mode), RENDER_MODES)
        self.options = Options.read(self.usual_rules, options)
        if self.keys and self.options.afterstates:
            raise BadOption("afterstates are given for placements only: use apprenti/Tetris-v0.")
        self.rules, self.render_mode = self.options.game, render_mode
        self.observation_space, self.action_space = spaces_of(self.options, self.keys)
        self._no_piece = len(self.rules.pieces.pieces)
        self._rewards = self.options.rewards
        kind = CompiledGame if self.options.engine == "compiled" else ReadableGame
        self._game: Game = kind(self.options, self.keys)
        self._painter = ReadableGame(self.options, self.keys) if render_mode else None
        """The same game by the readable engine, for pictures: it knows which cell came from which piece."""
        self._begun = False

    # Gymnasium's own --------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, Info]:
        """Begin a game. The games after a seed are a stream of their own: the next one comes with the next reset."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            stream = stream_of(seed if seed is not None else int(self.np_random.integers(2**62)))
            self._game.seed(stream)
            if self._painter:
                self._painter.seed(stream)
        self._begun = True
        self._game.begin()
        if self._painter:
            self._painter.begin()
            self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, Info]:
        game = self._game
        number = index(action)
        gained = game.play(number)
        if gained == ILLEGAL:
            return self._refuse(number)
        if self._painter:
            self._painter.play(number)
            self._show()
        reward = self._rewards[gained] if gained >= 0 else 0.0
        info = self._info()
        end = game.end
        if end is None:
            return self._observation(), reward, False, False, info
        info["outcome"] = end.code
        truncated = end is End.LAST_PIECE
        return self._observation(), reward, not truncated, truncated, info

    def render(self) -> Any:
        """The board as text, as pixels, or on the terminal."""
        if self._painter is None:
            gymnasium.logger.warn("render() without a render_mode: pass one of " + ", ".join(RENDER_MODES) + ".")
            return None
        if not self._begun:
            raise IllegalMove("there is nothing to render before reset().")
        state = self._painter.state
        if self.render_mode == "rgb_array":
            from apprenti.games.tetris.views.pixels import board_pixels

            return board_pixels(state, ghost=self.keys)
        from apprenti.games.tetris.views.text import screen

        text = screen(state, ghost=self.keys)
        if self.render_mode == "ansi":
            return text + "\n"
        print("\x1b[H\x1b[J" + text if sys.stdout.isatty() else text + "\n", flush=True)
        return None

    # For agents -------------------------------------------------------------------------------------------------------

    def action_masks(self) -> NDArray[np.bool_]:
        """For each action whether it is legal now (the name MaskablePPO of sb3-contrib asks for)."""
        return self._game.mask.astype(np.bool_)

    # Copies keep the game ---------------------------------------------------------------------------------------------

    def __copy__(self) -> "TetrisEnv":
        return copy.deepcopy(self)

    # Inside -----------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """On the terminal every state is shown as it comes."""
        if self.render_mode == "human":
            self.render()
            if sys.stdout.isatty():
                sleep(1 / self.metadata["render_fps"])

    def _observation(self) -> Seen:
        game, options = self._game, self.options
        nothing = self._no_piece
        seen: Seen = {"piece": game.piece if game.piece >= 0 else nothing}
        if options.seen:
            seen["criteria"] = game.criteria(options.seen)
        else:
            seen["board"] = game.board
        if self.keys:
            seen["falling"] = game.falling
        if self.rules.preview:
            seen["next_piece"] = game.next_piece if game.next_piece >= 0 else nothing
        return seen

    def _info(self) -> Info:
        game, options = self._game, self.options
        info = {"action_mask": game.mask, "lines": game.lines, "points": game.points, "pieces": game.pieces}
        if options.told:
            info["criteria"] = game.criteria(options.told)
        if options.afterstates:
            info["afterstates"] = game.afterstates(options.told)
        return info

    def _refuse(self, action: int) -> tuple[Seen, float, bool, bool, Info]:
        """An action that is not legal."""
        game = self._game
        if not self._begun or game.end:
            raise IllegalMove("the game is over or has not begun: call reset().")
        if not 0 <= action < game.actions:
            raise IllegalMove(f"an action is a number from 0 to {game.actions - 1}, not {action}.")
        if self.options.illegal == "raise":
            raise IllegalMove(complaint(self.rules.width, self.rules.pieces.letters[game.piece], action))
        if self.options.illegal == "ignore":
            game.renew_arrays()
            return self._observation(), 0.0, False, False, {**self._info(), "illegal_action": True}
        for each in (game, self._painter):
            if each:
                each.give_up()
        info = {**self._info(), "illegal_action": True, "outcome": End.ILLEGAL.code}
        return self._observation(), -float(self.options.penalty), True, False, info


def complaint(width: int, letter: str, action: int) -> str:
    """What is wrong with a placement that is not legal."""
    rotation, column = divmod(action, width)
    return f"action {action} (rotation {rotation}, column {column}) is not legal for piece {letter}: see the mask."


class TetrisKeysEnv(TetrisEnv):
    """One action is one key, L R D H T N, and then one row of gravity. The options are the fields of `Options`."""

    keys = True
    usual_rules = "tetrisbot"
