"""How fast the Gymnasium environments are, beside Tetris-Gymnasium where that is installed."""

from collections.abc import Iterator
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from apprenti.core.seeds import Stream, below
from apprenti.lab.bench.tetris import REPEATS, Figure

VECTOR_SIZES = (256, 4096)


def environment_figures(quick: bool) -> Iterator[Figure]:
    """Steps a second with random legal actions; nothing if Gymnasium is not installed."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    import apprenti.envs  # noqa: F401

    scale = 20 if quick else 1
    for name, what in (("apprenti/Tetris-v0", "placement"), ("apprenti/TetrisKeys-v0", "key")):
        env = gymnasium.make(name)
        yield Figure(f"{name}, one game", _best(env, 50_000 // scale), f"{what} steps/s")
        for games in VECTOR_SIZES:
            yield Figure(f"{name}, {games} games", _best_of_many(name, games, 2_000_000 // scale), f"{what} steps/s")
    readable = gymnasium.make("apprenti/Tetris-v0", engine="readable")
    yield Figure("apprenti/Tetris-v0, readable engine", _best(readable, 1000 // scale), "placement steps/s")
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
    yield Figure(name, _best(Tetris(), 5000 // scale), "key steps/s")
    yield Figure(name, _best(GroupedActionsObservations(Tetris()), 200 // scale), "placement steps/s")


def _best(env: Any, steps: int) -> float:
    """Steps a second of one environment with random legal actions, drawing them included; best of a few runs."""
    _steps_per_second(env, 2, 0)  # compile
    return max(_steps_per_second(env, steps, seed) for seed in range(REPEATS))


def _steps_per_second(env: Any, steps: int, seed: int) -> float:
    import numpy as np

    rng = Stream(seed)
    info = env.reset(seed=seed)[1]
    began = perf_counter()
    for _ in range(steps):
        if "action_mask" in info:
            legal = np.flatnonzero(info["action_mask"])
            action = int(legal[below(rng, len(legal))])
        else:
            action = below(rng, env.action_space.n)
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            info = env.reset()[1]
    return steps / (perf_counter() - began)


def _best_of_many(name: str, games: int, steps: int) -> float:
    """Steps a second of the vector environment, all games counted; best of a few runs."""
    import gymnasium

    envs = gymnasium.make_vec(name, num_envs=games, vectorization_mode="vector_entry_point")
    envs.reset(seed=1)
    draw, rng, best = envs.unwrapped.batch.random_actions, Stream(1), 0.0
    for _ in range(30):  # until games end here and there, and not all at once
        envs.step(draw(rng))
    for _ in range(REPEATS):
        rounds = max(1, steps // games)
        began = perf_counter()
        for _ in range(rounds):
            envs.step(draw(rng))
        best = max(best, rounds * games / (perf_counter() - began))
    return best
