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
from apprenti.envs.tetris.game import afterwards
from apprenti.envs.tetris.one import Seen, TetrisEnv, TetrisKeysEnv, spaces_of, stream_of
from apprenti.envs.tetris.options import Options
from apprenti.games.tetris.fast.batch import ENDS, Batch
from apprenti.games.tetris.fast.keys import KeyBatch
from apprenti.games.tetris.fast.measures import Measures

Bools = NDArray[np.bool_]


class TetrisVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[np.generic]]):  # type: ignore[misc]
    """Placements in many games at once. The options are the fields of `Options`, and `threads`."""

    metadata: ClassVar[dict[str, object]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
    single = TetrisEnv

    def __init__(self, num_envs: int = 1, threads: int = 1, render_mode: None = None, **options: object) -> None:
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
        return self._observations(), self._infos(self._all)

    def step(self, actions: Any) -> tuple[Seen, NDArray[np.float64], Bools, Bools, Info]:
        """Play an action in every game; those that end begin anew at once."""
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
        return self._observations(), rewards, terminations, truncations, {**infos, **self._infos(self._all)}

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

    def _observations(self) -> Seen:
        batch, options, nothing = self.batch, self.options, len(self.rules.pieces.pieces)
        seen: Seen = {"piece": np.where(batch.piece < 0, nothing, batch.piece)}
        if options.seen:
            seen["criteria"] = self._criteria(options.seen)
        else:
            seen["board"] = batch.boards()
        if isinstance(batch, KeyBatch):
            seen["falling"] = batch.falling()
        if self.rules.preview:
            seen["next_piece"] = np.where(batch.next_piece < 0, nothing, batch.next_piece)
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
        seen, last = self._observations(), np.full(self.num_envs, None, object)
        reasons = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            last[i] = {key: array[i].copy() if array.ndim > 1 else int(array[i]) for key, array in seen.items()}
            end = ENDS[self.batch.outcome[i]]
            reasons[i] = end.code if end else None
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
    for key, value in infos.items():
        if isinstance(value, dict):
            value = _marked(value, which)
        elif not which.all():
            value = value.copy()
            value[~which] = None if value.dtype == object else 0
        marked[key], marked[f"_{key}"] = value, which.copy()
    return marked
