"""Many games on all cores, here or of a cluster. Game i depends on the root seed and i alone."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property, partial
from time import perf_counter
from typing import Any, TypeVar

from apprenti.arena.executors import cluster, executor, in_a_task
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.errors import BadAgent
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyAgent, AnyRules, Fast, GameRecord, StopFlag

Chunk = tuple[int, int]
"""First game and number of games."""

T = TypeVar("T")


@dataclass(frozen=True)
class Series:
    """The games of some agents under one set of rules; agents change sides from game to game."""

    game: AnyGame
    rules: AnyRules
    agents: tuple[AnyAgent, ...]
    root: int = 1

    def __post_init__(self) -> None:
        if len(self.agents) != self.game.players:
            raise BadAgent(f"{self.game.name} is a game for {self.game.players}, not for {len(self.agents)}.")

    def readable(self, chunk: Chunk) -> list[GameRecord]:
        """These games by the readable rules."""
        return [self._readable(index) for index in range(chunk[0], sum(chunk))]

    def _readable(self, index: int) -> GameRecord:
        players = self.game.players
        first = index % players
        agents = [self.agents[(first + side) % players] for side in range(players)]
        played = play_game(self.game, self.rules, agents, seeds_of_game(self.root, index, players))
        return replace(played, index=index, first=first)

    def compiled(self, fast: Fast, moves: int, chunk: Chunk) -> list[GameRecord]:
        seeds = [seeds_of_game(self.root, index, self.game.players) for index in range(chunk[0], sum(chunk))]
        return [replace(played, index=index) for index, played in enumerate(fast.play(seeds, moves), chunk[0])]


class CompiledGames:
    """The compiled games of a series as a task: which of them is said later, and perhaps on another machine."""

    def __init__(self, series: Series, moves: int = 0) -> None:
        self.series, self.moves = series, moves

    def __reduce__(self) -> Any:
        return CompiledGames, (self.series, self.moves)  # the kernel is made ready where it is used

    @cached_property
    def fast(self) -> Fast:
        """The game in compiled form, with its players."""
        fast = self.series.game.fast(self.series.rules, self.series.agents)
        assert fast is not None
        return fast

    @property
    def stop(self) -> StopFlag:
        """Set its first number to 1, and the games under way end at their next move."""
        return self.fast.stop

    def __call__(self, chunk: Chunk) -> list[GameRecord]:
        """These games."""
        return self.series.compiled(self.fast, self.moves, chunk)


def play_many(
    game: AnyGame,
    rules: AnyRules,
    agents: Sequence[AnyAgent],
    games: int | None,
    root: int = 1,
    workers: int = 1,
    moves: int = 0,
    deadline: float | None = None,
    first: int = 0,
) -> Iterator[GameRecord]:
    """Yield the games in order, from game `first` on; without a number, for ever. The kernel plays whatever it can.

    At the deadline (of `time.perf_counter`), or when interrupted, the games that the kernel is playing are cut short
    and yielded as such: to drop them would leave the short games only, and a mean that is too small.
    """
    series, fast = Series(game, rules, tuple(agents), root), game.fast(rules, agents)
    if fast is not None:
        size, task = chunk_size(games, workers, fast.together), CompiledGames(series, moves)
        played = in_order(task, True, games, workers, task.stop, deadline, size, first)
        yield from (record for record in played if record.length)  # cut before its first move it says nothing
    elif workers == 1 and cluster() is None:
        for chunk in _chunks(first, games, lambda _: 1):
            yield from series.readable(chunk)
            if deadline is not None and perf_counter() > deadline:
                return
    else:
        yield from in_order(series.readable, False, games, workers, None, deadline, chunk_size(games, workers), first)


def replayed(game: AnyGame, rules: AnyRules, agents: Sequence[AnyAgent], root: int, record: GameRecord) -> GameRecord:
    """A game of a series played once more, with all its moves; one that was cut is cut again."""
    series, fast = Series(game, rules, tuple(agents), root), game.fast(rules, agents)
    if fast is None or not fast.keeps_moves:
        return series.readable((record.index, 1))[0]
    again = fast.limited(record.length).play([seeds_of_game(root, record.index, game.players)], record.length)[0]
    return replace(record, moves=again.moves)


def chunk_size(games: int | None, workers: int, together: int = 0) -> int:
    """Games in a task: a few, so that all cores end at the same time; many for who plays them side by side."""
    if games is None:
        return together or 1
    return min(together, -(-games // workers)) if together else max(1, min(32, games // (16 * workers)))


def _chunks(first: int, games: int | None, size: Callable[[int], int]) -> Iterator[Chunk]:
    while games is None or first < games:
        number = size(first) if games is None else min(size(first), games - first)
        yield first, number
        first += number


class Sizes:
    """How many games are in the next chunk: a fixed number, or on a cluster what takes about a second."""

    def __init__(self, size: int, games: int | None) -> None:
        self.size, self.games, self.seen, self.seconds = size, games, 0, 0.0

    def __call__(self, first: int) -> int:
        """For the chunk that begins with this game."""
        place = cluster()
        if place is None or self.size > 32:  # games that are best played side by side
            return self.size if first or self.size > 32 else 1
        left = None if self.games is None else self.games - first
        return in_a_task(left, self.seconds / self.seen, place.workers) if self.seconds else 1

    def saw(self, played: Sequence[Any]) -> None:
        """These games have been played."""
        self.seen += len(played)
        self.seconds += sum(sum(getattr(record, "seconds", ())) for record in played)


def in_order(
    task: Callable[[Chunk], list[T]],
    compiled: bool,
    games: int | None,
    workers: int,
    stop: StopFlag | None,
    deadline: float | None,
    size: int,
    first: int = 0,
) -> Generator[T, None, None]:
    """Hand out chunks of games and yield the results in the order of the games, from game `first` on."""
    waiting: deque[Future[list[T]]] = deque()
    sizes = Sizes(size, games)
    with executor(compiled, workers) as pool:
        try:
            for chunk in _chunks(first, games, sizes):
                waiting.append(pool.submit(task, chunk))
                while len(waiting) > (pool.ahead if sizes.seen else 2 * pool.workers):  # few, until a length is known
                    yield from _result(waiting, deadline, sizes)
            while waiting:
                yield from _result(waiting, deadline, sizes)
        except (TimeoutError, KeyboardInterrupt) as reason:
            yield from cut_short(waiting, partial(pool.cut, stop))
            if isinstance(reason, KeyboardInterrupt):
                raise
        finally:
            if stop is not None:
                stop[0] = 1


def _result(waiting: deque[Future[list[T]]], deadline: float | None, sizes: Sizes) -> list[T]:
    """The oldest games, when they are done; TimeoutError at the deadline."""
    played = waiting[0].result(None if deadline is None else max(0.0, deadline - perf_counter()))
    waiting.popleft()
    sizes.saw(played)
    return played


def cut_short(waiting: deque[Future[list[T]]], cut: Callable[[], bool]) -> Iterator[T]:
    """End the games under way at their next move, and yield what they have come to."""
    for future in waiting:
        future.cancel()
    if not cut():
        return
    for future in waiting:
        if not future.cancelled():
            yield from future.result()
