"""Many games of Tetris in one environment, on the compiled engine: what `gymnasium.make_vec` makes.

It behaves like `SyncVectorEnv` over single environments with same-step autoreset, and gives the same numbers, much
faster: a game that ends begins anew in the same step, and `infos` has its last observation.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from apprenti.core.errors import BadOption, IllegalMove
from apprenti.envs.game import Info
from apprenti.games.tetris.envs.game import afterwards
from apprenti.games.tetris.envs.one import Seen, TetrisEnv, TetrisKeysEnv, spaces_of, stream_of
from apprenti.games.tetris.envs.options import Options
from apprenti.games.tetris.fast.batch import ENDS, Batch
from apprenti.games.tetris.fast.keys import KeyBatch
from apprenti.games.tetris.fast.measures import Measures

Bools = NDArray[np.bool_]
_CODES = np.array([end.code if end else None for end in ENDS], object)
"""Why a game ended, as it is told: by its outcome."""


class TetrisVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[np.generic]]):  # type: ignore[misc]
    """Placements in many games at once. The options are the fields of `Options`, and `threads`."""

    metadata: ClassVar[dict[str, object]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
    single = TetrisEnv

    def __init__(
        self, num_envs: int = 1, threads: int = 1, render_mode: None = None, copy: bool = True, **options: object
    ) -> None:
        if render_mode is not None:
            raise BadOption("many games at once are not rendered: make a single environment for that.")
        self.options = Options.read(self.single.usual_rules, options)
        if self.options.engine != "compiled":
            raise BadOption("many games at once need the compiled engine: use vectorization_mode='sync' for others.")
        self.keys = self.single.keys
        if self.keys and self.options.afterstates:
            raise BadOption("afterstates are given for placements only: use apprenti/Tetris-v0.")
        self.num_envs, self.rules = num_envs, self.options.game
        self.batch = (KeyBatch if self.keys else Batch)(self.rules, num_envs, threads=threads)
        self.single_observation_space, self.single_action_space = spaces_of(self.options, self.keys)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._measures = {
            names: Measures(self.rules, names) for names in {self.options.seen, self.options.told} if names
        }
        self._rewards = np.array([*self.options.rewards, 0.0])  # the last, at -1: no piece came to rest
        self._all = np.ones(num_envs, np.bool_)
        self._cells: Seen | None = None if copy else {}
        """Where cells are written at every step, unless each step has arrays of its own."""
        self._begun = False

    # Gymnasium's own --------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
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
        return np.asarray(self._measures[names].of_last_moves(self.batch), np.float32)

    def _infos(self, which: Bools) -> Info:
        """What `info` says of some games, 0 for the others; beside each entry whose it is, as Gymnasium has it."""
        batch, told = self.batch, self.options.told
        infos: Info = {
            "action_mask": batch.masks(),
            "lines": batch.lines.copy(),
            "points": batch.points.copy(),
            "pieces": batch.pieces.copy(),
        }
        if told:
            infos["criteria"] = self._criteria(told)
        if self.options.afterstates:
            infos["afterstates"] = afterwards(batch, self._measures.get(told))
        return _marked(infos, which)

    def _finals(self, over: Bools, refused: Bools | None) -> Info:
        """The last observation and `info` of the games that are over."""
        ended = np.flatnonzero(over)
        last, reasons = np.full(self.num_envs, None, object), np.full(self.num_envs, None, object)
        seen = self._observations(ended)
        columns = [list(array) if array.ndim > 1 else array.tolist() for array in seen.values()]
        for i, *values in zip(ended, *columns, strict=True):
            last[i] = dict(zip(seen, values, strict=True))
        reasons[ended] = _CODES[self.batch.outcome[ended]]
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
