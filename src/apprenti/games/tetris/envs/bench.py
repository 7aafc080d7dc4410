"""How fast the Gymnasium environments are, beside Tetris-Gymnasium where that is installed."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from apprenti.core.seeds import Stream, below
from apprenti.lab.bench.machine import Figure, best

VECTOR_SIZES = (256, 4096)


def figures(quick: bool) -> Iterator[Figure]:
    """Steps a second with random legal actions; nothing if Gymnasium is not installed."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    import apprenti.envs  # noqa: F401

    scale = 20 if quick else 1
    for name, what in (("apprenti/Tetris-v0", "placement"), ("apprenti/TetrisKeys-v0", "key")):
        yield Figure(f"{name}, one game", _speed(gymnasium.make(name), 50_000 // scale), f"{what} steps/s")
        for games in VECTOR_SIZES:
            for said, copy in (("", True), (", written into the same arrays", False)):
                speed = _vector_speed(name, games, 2_000_000 // scale, copy)
                yield Figure(f"{name}, {games} games{said}", speed, f"{what} steps/s")
    readable = gymnasium.make("apprenti/Tetris-v0", engine="readable")
    yield Figure("apprenti/Tetris-v0, readable engine", _speed(readable, 1000 // scale), "placement steps/s")
    yield from _tetris_gymnasium(scale)


def _tetris_gymnasium(scale: int) -> Iterator[Figure]:
    """The same of Tetris-Gymnasium, whose placement steps always come with the board after every action."""
    if find_spec("tetris_gymnasium") is None or find_spec("cv2") is None:
        return
    from importlib.metadata import PackageNotFoundError, version

    from tetris_gymnasium.envs import Tetris
    from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

    try:
        name = f"Tetris-Gymnasium {version('tetris-gymnasium')}"
    except PackageNotFoundError:
        name = "Tetris-Gymnasium"
    yield Figure(name, _speed(Tetris(), 5000 // scale), "key steps/s")
    yield Figure(name, _speed(GroupedActionsObservations(Tetris()), 200 // scale), "placement steps/s")


def _speed(env: Any, steps: int) -> float:
    """Steps a second of one environment with random legal actions, drawing them included."""
    rng, info = Stream(1), env.reset(seed=1)[1]

    def work() -> int:
        nonlocal info
        for _ in range(steps):
            if "action_mask" in info:
                legal = np.flatnonzero(info["action_mask"])
                action = int(legal[below(rng, len(legal))])
            else:
                action = below(rng, env.action_space.n)
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                info = env.reset()[1]
        return steps

    return best(work)


def _vector_speed(name: str, games: int, steps: int, copy: bool) -> float:
    """Steps a second of the vector environment, all games counted."""
    import gymnasium

    envs = gymnasium.make_vec(name, num_envs=games, vectorization_mode="vector_entry_point", copy=copy)
    envs.reset(seed=1)
    draw, rng = envs.unwrapped.batch.random_actions, Stream(1)

    def work() -> int:
        rounds = max(30, steps // games)  # of the first time games end here and there in the end, and not all at once
        for _ in range(rounds):
            envs.step(draw(rng))
        return rounds * games

    return best(work)
