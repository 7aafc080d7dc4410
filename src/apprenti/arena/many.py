"""Many games on all cores. Game i depends on the root seed and i alone, whoever plays it."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from multiprocessing import get_context, parent_process
from threading import Thread
from time import perf_counter
from typing import Any, TypeVar

from apprenti.arena.game import Played, play_game, seeds_of_game
from apprenti.games.tetris.rules import Rules

Chunk = tuple[int, int]
"""First game and number of games."""

T = TypeVar("T")


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _play_readable(agent: Any, rules: Rules, root: int, chunk: Chunk) -> list[Played]:
    return [replace(play_game(agent, rules, seeds_of_game(root, i)), index=i) for i in range(chunk[0], sum(chunk))]


def _play_compiled(player: Any, rules: Rules, root: int, stop: Any, keep: int, chunk: Chunk) -> list[Played]:
    from apprenti.games.tetris.fast.players import play

    began = perf_counter()
    seeds = [seeds_of_game(root, i) for i in range(chunk[0], sum(chunk))]
    results = play(rules, player, seeds, keep, stop)
    seconds = (perf_counter() - began) / max(1, sum(result.tally.pieces for result in results))
    return [
        Played(
            result.tally,
            "the rules ended it" if result.died else "the last piece has been played",
            result.died,
            tuple(f"P:{column}:{rotation}" for _, rotation, column in result.moves),
            seconds * result.tally.pieces,
            seconds,
            index,
        )
        for index, result in enumerate(results, chunk[0])
    ]


def compiled_player(agent: Any, rules: Rules) -> Any:
    """The agent for the kernel, or None where the readable engine has to play."""
    player = agent.compiled(rules) if hasattr(agent, "compiled") else None
    return player if player is not None and player.plays(rules) else None


def _end_with_parent() -> None:
    """In a worker: end when the one who wants the games has been killed, for nobody else would tell."""
    parent = parent_process()

    def follow() -> None:
        if parent:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()


@contextmanager
def _executor(compiled: bool, workers: int) -> Iterator[Executor]:
    """Threads for compiled games, which release the interpreter; processes for the others."""
    if compiled:
        pool: Executor = ThreadPoolExecutor(workers)
    else:
        pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_end_with_parent)
    try:
        yield pool
    finally:
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()  # nobody waits for its game any more, and that may last for days
        pool.shutdown(wait=True, cancel_futures=True)


def _chunks(games: int | None, size: Callable[[int], int]) -> Iterator[Chunk]:
    first = 0
    while games is None or first < games:
        number = size(first) if games is None else min(size(first), games - first)
        yield first, number
        first += number


def play_many(
    agent: Any,
    rules: Rules,
    games: int | None,
    root: int = 1,
    workers: int = 1,
    keep_moves: int = 0,
    deadline: float | None = None,
) -> Iterator[Played]:
    """Yield the games in order; without a number, for ever. The kernel plays whatever it can.

    At the deadline (of `time.perf_counter`), or when interrupted, the games that the kernel is playing are cut short
    and yielded as such: to drop them would leave the short games only, and a mean that is too small.
    """
    player = compiled_player(agent, rules)
    if player is None and workers == 1:
        for i in range(games) if games is not None else count():
            yield from _play_readable(agent, rules, root, (i, 1))
            if deadline is not None and perf_counter() > deadline:
                return
    elif player is None:
        chunk = chunk_size(games, workers)
        yield from in_order(partial(_play_readable, agent, rules, root), False, games, workers, None, deadline, chunk)
    else:
        from apprenti.games.tetris.fast.players import stop_signal

        stop = stop_signal()
        task = partial(_play_compiled, player, rules, root, stop, keep_moves)
        chunk = chunk_size(games, workers, getattr(player, "together", 0))
        yield from begun(in_order(task, True, games, workers, stop, deadline, chunk))


def begun(games: Iterator[Played]) -> Iterator[Played]:
    """Without those that were cut before their first piece: they say nothing."""
    return (game for game in games if game.tally.pieces)


def chunk_size(games: int | None, workers: int, together: int = 0) -> int:
    """Games in a task: a few, so that all cores end at the same time; many for who plays them side by side."""
    if games is None:
        return together or 1
    return min(together, -(-games // workers)) if together else max(1, min(32, games // (16 * workers)))


def in_order(
    task: Callable[[Chunk], list[T]],
    compiled: bool,
    games: int | None,
    workers: int,
    stop: Any,
    deadline: float | None,
    size: int,
) -> Iterator[T]:
    """Hand out chunks of games and yield the results in the order of the games."""
    waiting: deque[Future[list[T]]] = deque()
    with _executor(compiled, workers) as pool:
        try:
            for chunk in _chunks(games, lambda first: size if first or size > 32 else 1):
                waiting.append(pool.submit(task, chunk))
                if len(waiting) > 2 * workers:
                    yield from _result(waiting, deadline)
            while waiting:
                yield from _result(waiting, deadline)
        except (TimeoutError, KeyboardInterrupt) as reason:
            yield from _cut(waiting, stop)
            if isinstance(reason, KeyboardInterrupt):
                raise
        finally:
            if stop is not None:
                stop[0] = 1


def _result(waiting: deque[Future[list[T]]], deadline: float | None) -> list[T]:
    """The oldest games, when they are done; TimeoutError at the deadline."""
    played = waiting[0].result(None if deadline is None else max(0.0, deadline - perf_counter()))
    waiting.popleft()
    return played


def _cut(waiting: deque[Future[list[T]]], stop: Any) -> Iterator[T]:
    """End the games under way at their next piece, and yield what they have come to."""
    for future in waiting:
        future.cancel()
    if stop is None:
        return
    stop[0] = 1
    for future in waiting:
        if not future.cancelled():
            yield from future.result()
