"""Tetris for Gymnasium: `apprenti/Tetris-v0`, a placement at a time, and `apprenti/TetrisKeys-v0`, a key at a time.

Each is one game, by either engine, or many games in one environment on the compiled engine: what `gymnasium.make_vec`
makes. That behaves like `SyncVectorEnv` over single environments with same-step autoreset, and gives the same numbers,
much faster: a game that ends begins anew in the same step, and `infos` has its last observation.
"""

import copy
import sys
from collections.abc import Sequence
from operator import index
from time import sleep
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption, IllegalMove, UnknownName
from apprenti.core.seeds import seed_of
from apprenti.envs.game import Info
from apprenti.games.tetris.envs.games import CompiledGame, Game, Options, ReadableGame, afterwards
from apprenti.games.tetris.fast.batch import ENDS, ILLEGAL, Batch
from apprenti.games.tetris.fast.keys import KEYS, KeyBatch, rows_seen
from apprenti.games.tetris.state import End

RENDER_MODES = ("human", "ansi", "rgb_array")
STREAM = "environment"
"""The name of the stream of games under an environment's seed."""

Seen = dict[str, Any]
Bools = NDArray[np.bool_]
CODES = np.array([end.code if end else None for end in ENDS], object)
"""Why a game ended, by its outcome, as `info` has it."""


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
        seen["criteria"] = spaces.Box(-most, most, (options.measures[options.seen].size,), np.float32)
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
        self.options = Options.read(self.usual_rules, options, self.keys)
        self.rules, self.render_mode = self.options.game, render_mode
        self.observation_space, self.action_space = spaces_of(self.options, self.keys)
        kind = CompiledGame if self.options.engine == "compiled" else ReadableGame
        self._game: Game = kind(self.options, self.keys)
        self._painter = ReadableGame(self.options, self.keys) if render_mode else None
        """The same game by the readable engine, for pictures: it knows which cell came from which piece."""
        self._begun = False

    # Gymnasium's own --------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: JsonData | None = None) -> tuple[Seen, Info]:
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
        reward = self.options.rewards[gained] if gained >= 0 else 0.0
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
            from apprenti.games.tetris.views.pictures import board_pixels

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
        nothing = len(self.rules.pieces.pieces)
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
        if options.in_info:
            info["criteria"] = game.criteria(options.in_info)
        if options.afterstates:
            info["afterstates"] = game.afterstates(options.in_info)
        return info

    def _refuse(self, action: int) -> tuple[Seen, float, bool, bool, Info]:
        """An action that is not legal."""
        game = self._game
        if not self._begun or game.end:
            raise IllegalMove("the game is over or has not begun: call reset().")
        if not 0 <= action < game.actions:
            raise IllegalMove(f"an action is a number from 0 to {game.actions - 1}, not {action}.")
        if self.options.illegal == "raise":
            raise IllegalMove(self._complaint(action))
        if self.options.illegal == "ignore":
            game.renew_arrays()
            return self._observation(), 0.0, False, False, {**self._info(), "illegal_action": True}
        for each in (game, self._painter):
            if each:
                each.give_up()
        info = {**self._info(), "illegal_action": True, "outcome": End.ILLEGAL.code}
        return self._observation(), -float(self.options.penalty), True, False, info

    def _complaint(self, action: int) -> str:
        """What is wrong with a placement that is not legal."""
        rotation, column = divmod(action, self.rules.width)
        letter = self.rules.pieces.letters[self._game.piece]
        return f"action {action} (rotation {rotation}, column {column}) is not legal for piece {letter}: see the mask."


class TetrisKeysEnv(TetrisEnv):
    """One action is one key, L R D H T N, and then one row of gravity. The options are the fields of `Options`."""

    keys = True
    usual_rules = "tetrisbot"


class TetrisVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[np.generic]]):  # type: ignore[misc]
    """Placements in many games at once. The options are the fields of `Options`, and `threads`."""

    metadata: ClassVar[dict[str, object]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
    single = TetrisEnv

    def __init__(
        self, num_envs: int = 1, threads: int = 1, render_mode: None = None, copy: bool = True, **options: object
    ) -> None:
        if render_mode is not None:
            raise BadOption("many games at once are not rendered: make a single environment for that.")
        self.keys = self.single.keys
        self.options = Options.read(self.single.usual_rules, options, self.keys)
        if self.options.engine != "compiled":
            raise BadOption("many games at once need the compiled engine: use vectorization_mode='sync' for others.")
        self.num_envs, self.rules = num_envs, self.options.game
        self.batch = (KeyBatch if self.keys else Batch)(self.rules, num_envs, threads=threads)
        self.single_observation_space, self.single_action_space = spaces_of(self.options, self.keys)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rewards = np.array([*self.options.rewards, 0.0])  # the last, at -1: no piece came to rest
        self._all = np.ones(num_envs, np.bool_)
        self._cells: Seen | None = None if copy else {}
        """Where cells are written at every step, unless each step has arrays of its own."""
        self._begun = False

    # Gymnasium's own --------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: JsonData | None = None
    ) -> tuple[Seen, Info]:
        """Begin all games; game i as a single environment would with seed + i, or with the i-th of several seeds."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds: list[int | None] = [None] * self.num_envs
        if isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = [None if one is None else int(one) for one in seed]
        if len(seeds) != self.num_envs:
            raise BadOption(f"{self.num_envs} games need as many seeds, not {len(seeds)}.")
        for i, one in enumerate(seeds):
            if one is not None or not self._begun:
                self.batch.streams[i] = stream_of(int(self.np_random.integers(2**62)) if one is None else one)
        self._begun = True
        self.batch.reset()
        return self._seen_now(), self._infos(self._all)

    def step(self, actions: Any) -> tuple[Seen, NDArray[np.float64], Bools, Bools, Info]:
        batch, actions = self.batch, self.batch.one_each(actions)
        legal = batch.legal(actions)
        refused = None if legal.all() else self._refused(actions, ~legal)
        rested = batch.play(actions, legal)
        rewards = self._rewards[np.where(rested, batch.last_lines, -1)]
        infos: Info = {}
        if refused is not None and self.options.illegal == "terminate":
            batch.give_up(refused)
            rewards[refused] = -float(self.options.penalty)
        elif refused is not None:
            infos.update(illegal_action=refused, _illegal_action=refused.copy())
        terminations, truncations = batch.dead, batch.truncated
        over = terminations | truncations
        if over.any():
            infos.update(self._finals(over, refused))
            batch.renew()
        return self._seen_now(), rewards, terminations, truncations, {**infos, **self._infos(self._all)}

    # For agents -------------------------------------------------------------------------------------------------------

    def action_masks(self) -> Bools:
        """(games, actions): whether each action is legal now."""
        return self.batch.masks().view(np.bool_)

    # Inside -----------------------------------------------------------------------------------------------------------

    def _refused(self, actions: NDArray[np.int64], illegal: Bools) -> Bools:
        """Those games whose action is not legal, unless that is an error."""
        worst = int(np.argmax(illegal & ((actions < 0) | (actions >= self.batch.actions))))
        outside = not 0 <= actions[worst] < self.batch.actions
        if not self._begun:
            raise IllegalMove("the games have not begun: call reset().")
        if outside:
            raise IllegalMove(f"an action is a number from 0 to {self.batch.actions - 1}, not {actions[worst]}.")
        if self.options.illegal == "raise":
            first = int(np.argmax(illegal))
            raise IllegalMove(self.batch.complaint(first, int(actions[first])))
        return illegal

    def _observations(self, which: NDArray[np.int64] | slice = slice(None), into: Seen | None = None) -> Seen:
        """What is seen of all games or of some, the cells in given arrays if there are any."""
        batch, options, nothing, into = self.batch, self.options, len(self.rules.pieces.pieces), into or {}
        piece, next_piece = batch.piece[which], batch.next_piece[which]
        seen: Seen = {"piece": np.where(piece < 0, nothing, piece)}
        if options.seen:
            seen["criteria"] = self._criteria(options.seen)[which]
        else:
            seen["board"] = batch.boards(which=which, out=into.get("board"))
        if isinstance(batch, KeyBatch):
            seen["falling"] = batch.falling(which=which, out=into.get("falling"))
        if self.rules.preview:
            seen["next_piece"] = np.where(next_piece < 0, nothing, next_piece)
        return seen

    def _seen_now(self) -> Seen:
        """What is seen of all games."""
        seen = self._observations(into=self._cells)
        if self._cells is not None:
            self._cells = seen
        return seen

    def _criteria(self, names: tuple[str, ...]) -> NDArray[np.float32]:
        return np.asarray(self.options.measures[names].of_last_moves(self.batch), np.float32)

    def _infos(self, which: Bools) -> Info:
        """What `info` says of some games, 0 for the others; beside each entry whose it is, as Gymnasium has it."""
        batch, in_info = self.batch, self.options.in_info
        infos: Info = {
            "action_mask": batch.masks(),
            "lines": batch.lines.copy(),
            "points": batch.points.copy(),
            "pieces": batch.pieces.copy(),
        }
        if in_info:
            infos["criteria"] = self._criteria(in_info)
        if self.options.afterstates:
            infos["afterstates"] = afterwards(batch, self.options.measures.get(in_info))
        return _marked(infos, which)

    def _finals(self, over: Bools, refused: Bools | None) -> Info:
        """The last observation and `info` of the games that are over."""
        ended = np.flatnonzero(over)
        last, reasons = np.full(self.num_envs, None, object), np.full(self.num_envs, None, object)
        seen = self._observations(ended)
        columns = [list(array) if array.ndim > 1 else array.tolist() for array in seen.values()]
        for i, *values in zip(ended, *columns, strict=True):
            last[i] = dict(zip(seen, values, strict=True))
        reasons[ended] = CODES[self.batch.outcome[ended]]
        infos = self._infos(over)
        if refused is not None and self.options.illegal == "terminate":
            infos.update(_marked({"illegal_action": refused}, refused))
        infos.update(_marked({"outcome": reasons}, over))
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": infos, "_final_info": over.copy()}


class TetrisKeysVectorEnv(TetrisVectorEnv):
    """Keys in many games at once. The options are the fields of `Options`, and `threads`."""

    single = TetrisKeysEnv


def _marked(infos: Info, which: Bools) -> Info:
    """Set to 0 what does not belong to these games, and say whose the rest is."""
    marked: Info = {}
    some = None if which.all() else np.flatnonzero(which)
    for key, value in infos.items():
        if isinstance(value, dict):
            value = _marked(value, which)
        elif some is not None:
            every, value = value, np.full(value.shape, None) if value.dtype == object else np.zeros_like(value)
            value[some] = every[some]
        marked[key], marked[f"_{key}"] = value, which.copy()
    return marked
