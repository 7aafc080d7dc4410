"""What a cluster costs: time to begin, to hand out a task, bytes, and all of it beside threads of this machine."""

import os
from collections.abc import Callable, Iterator
from time import perf_counter, process_time

from apprenti.arena.executors import by_value, cluster, played_on
from apprenti.arena.many import CompiledGames, Series, play_many
from apprenti.arena.ray_cluster import RayCluster
from apprenti.lab.agents import find
from apprenti.lab.bench import self_play
from apprenti.lab.bench.machine import Figure
from apprenti.lab.cluster import on_cluster

AGENT, MOVES = "dellacherie", 500_000
"""Games of one length, about a tenth of a second each: both sides have the same to do."""


def nothing(number: int) -> int:
    """An empty task."""
    return number


def figures(quick: bool, where: str) -> Iterator[Figure]:
    """All figures of a cluster."""
    began = perf_counter()
    with on_cluster(where):
        yield Figure("cluster: start, connect, check", perf_counter() - began, "s")
        yield from _tasks(200 if quick else 2000)
        yield from _bytes()
        yield from _beside_threads(20 if quick else 120, 1 if quick else 3)
    yield from self_play.figures(quick)


def _tasks(number: int) -> Iterator[Figure]:
    place = cluster()
    assert place is not None
    list(place.map(nothing, range(20)))
    began = perf_counter()
    list(place.map(nothing, range(number)))
    yield Figure("cluster: empty tasks", number / (perf_counter() - began), "tasks/s")
    began = perf_counter()
    for one in range(number // 10):
        place.submit(nothing, one).result()
    yield Figure("cluster: one task there and back", 1000 * (perf_counter() - began) / (number // 10), "ms")


def _series() -> Series:
    player = find(AGENT)
    return Series(player.game, player.game.rules(player.rules, **{player.game.length_option: MOVES}), (player.agent,))


def _bytes() -> Iterator[Figure]:
    task = CompiledGames(_series())
    yield Figure("cluster: agent and rules, sent once to a core", len(by_value(task)), "bytes")
    yield Figure("cluster: results of ten games", len(by_value(task((0, 10)))), "bytes")


def clock(number: int) -> tuple[int, float]:
    """This process, and the processor time it has used."""
    return os.getpid(), process_time()


def _spent(place: RayCluster, of: Callable[[list[float]], float]) -> dict[int, float]:
    """The processor time that the driver and each core have used, by process.

    `of` what they tell, which is more each time, it is the last before games and the first after them: to ask is no
    part of what games cost.
    """
    by_process: dict[int, list[float]] = {}
    for process, seconds in [clock(0), *place.map(clock, range(50 * place.workers)), clock(0)]:
        by_process.setdefault(process, []).append(seconds)
    return {process: of(seconds) for process, seconds in by_process.items()}


def _beside_threads(games: int, repeats: int) -> Iterator[Figure]:
    """The same games on as many threads, in turn; the best of each. On a busy machine, trust the processor's time."""
    place, series = cluster(), _series()
    assert place is not None
    there, here = [], []
    for _ in range(repeats):
        before, began = _spent(place, max), perf_counter()
        _play(series, games, place.workers)
        seconds, after = perf_counter() - began, _spent(place, min)
        there.append((seconds, sum(after[one] - before[one] for one in after.keys() & before.keys())))
        began, spent = perf_counter(), process_time()
        with played_on(None):
            _play(series, games, place.workers)
        here.append((perf_counter() - began, process_time() - spent))
    for name, one in (("time", 0), ("processor time", 1)):
        more = min(each[one] for each in there) / min(each[one] for each in here) - 1
        yield Figure(f"cluster: more {name} than {place.workers} threads", 100 * more, "%")


def _play(series: Series, games: int, workers: int) -> None:
    for _ in play_many(series.game, series.rules, series.agents, games, workers=workers):
        pass
