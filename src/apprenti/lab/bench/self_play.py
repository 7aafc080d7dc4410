"""What a cluster could gain where games are not independent: the share of an iteration that PPO and DQN play."""

from collections.abc import Iterator
from importlib.util import find_spec
from time import process_time
from typing import Any

from apprenti.core.data import JsonData
from apprenti.lab.bench.machine import Figure
from apprenti.learn.methods import learner_class

LEARNERS: dict[str, tuple[str, JsonData]] = {
    "ppo, 64 games": ("ppo", {"parallel_games": 64}),
    "ppo, 16 games": ("ppo", {"parallel_games": 16}),
    "dqn, afterstates": ("dqn", {"form": "afterstates", "test_games": 0}),
    "dqn, placements": ("dqn", {"form": "placements", "test_games": 0}),
}
"""With what is not the default said; games that test teach nothing, and are independent."""


def figures(quick: bool) -> Iterator[Figure]:
    """Of each learner, in processor time: whatever else runs, it changes little. Nothing if torch is not installed."""
    if find_spec("torch") is None:
        return
    for name, (method, options) in LEARNERS.items():
        kind = learner_class(method)
        learner = kind(kind.Config(**options))
        played, whole = spent(learner, *_plays(learner), 1 if quick else 3)
        yield Figure(f"{name}: an iteration", whole, "s")
        yield Figure(f"{name}: of it self-play", 100 * played / whole, "%")


def _plays(learner: Any) -> tuple[Any, str]:
    """Whose method is the self-play."""
    return (learner, "rollout") if hasattr(learner, "rollout") else (learner.games, "play")


def spent(learner: Any, player: Any, name: str, iterations: int) -> tuple[float, float]:
    """Processor seconds of self-play and of all in an iteration; a first one compiles, and fills the replay buffer."""
    learner.step()
    play, played = getattr(player, name), 0.0

    def timed(*words: Any) -> Any:
        nonlocal played
        began = process_time()
        result = play(*words)
        played += process_time() - began
        return result

    setattr(player, name, timed)
    began = process_time()
    for _ in range(iterations):
        learner.step()
    return played / iterations, (process_time() - began) / iterations
