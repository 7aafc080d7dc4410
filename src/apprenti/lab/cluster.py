"""Games on a cluster: what is played inside `on_cluster` is played there, to the bit as here."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

from apprenti.arena.executors import played_on
from apprenti.arena.game import seeds_of_game
from apprenti.arena.many import play_many
from apprenti.core.errors import BadOption
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import GameRecord
from apprenti.lab.agents import find

COMPILED = {"dellacherie": 300, "dqn-criteria": 30}
"""Agents whose games must be the same everywhere, one that adds up exact weights and a network, and their moves."""
READABLE = ("mcts:30", "random")
"""Who plays the first game for two by its readable rules."""


def _say(words: str) -> None:
    print(f"apprenti: {words}", file=sys.stderr, flush=True)


@contextmanager
def on_cluster(where: str, workers: int = 0, say: Callable[[str], None] = _say) -> Iterator[None]:
    """Have games played on a cluster: `local:4`, `auto`, `HOST:PORT`, `ray://HOST:PORT`; here, if it is empty.

    `workers` is the number of its cores to use, 0 for all.
    """
    if not where:
        yield
        return
    from apprenti.arena.ray_cluster import RayCluster
    from apprenti.arena.ray_connection import connected

    with connected(where) as address:
        place = RayCluster((sources, games), address, workers, say)
        try:
            place.wait_for_cores()
            with played_on(place):
                yield
        finally:
            place.end()


def training_on(where: str, method: str, workers: int = 0) -> AbstractContextManager[None]:
    """The same for a run; refused for a method whose work is no independent games."""
    from apprenti.learn.methods import learner_class

    if where and not getattr(learner_class(method), "scales", False):
        raise BadOption(f"--cluster is for methods that learn from independent games, like ce; {method} does not.")
    return on_cluster(where, workers)


def sources() -> dict[str, str]:
    """The code that results depend on. Every node must have the same, or it may not play."""
    from apprenti.lab.train import versions

    return {**versions(), "source digest": source_digest()}


def games() -> dict[str, str]:
    """A digest of a few games: compiled ones, a network's, and those of a search by the readable rules.

    It is asked of nodes that have the same code: their processors may give other numbers.
    """
    records = [record for agent, moves in COMPILED.items() for record in _compiled(agent, moves)]
    game = next(game for game in map(GAMES.load, GAMES) if game.players == 2)
    records += play_many(game, game.rules(), [find(name, game).agent for name in READABLE], 4)
    plain = [(record.length, record.moves, sorted(record.measures.items())) for record in records]
    return {"digest of a few games": hashlib.blake2b(repr(plain).encode(), digest_size=8).hexdigest()}


def _compiled(name: str, moves: int) -> list[GameRecord]:
    player = find(name)
    fast = player.game.fast(player.rules, [player.agent])
    assert fast is not None
    return fast.limited(moves).play([seeds_of_game(1, index) for index in range(2)], moves)


@cache
def source_digest() -> str:
    """A digest of every source file of the package."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(package.rglob("*.py")):
        digest.update(f"{source.relative_to(package)}\n".encode() + source.read_bytes())
    return digest.hexdigest()
