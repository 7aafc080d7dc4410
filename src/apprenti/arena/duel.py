"""One game between two players, and many: every opening is played twice, with the sides exchanged.

Game 2p and 2p + 1 have the same opening (chance of pair p), the first with the first player to move. What a player
draws on the way depends on the root seed, the game and its side alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

from apprenti.arena.many import Chunk, in_order
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import GameForTwo, Position
from apprenti.core.seeds import Chance, Stream, seed_of

Seeds = tuple[tuple[int, int], tuple[int, int]]
"""For each side: one seed for the opening, one for its player."""


@dataclass(frozen=True)
class Duel:
    """A game that has been played."""

    winner: int | None
    """The side that won, not the player; None for a draw."""
    reason: str
    moves: tuple[str, ...]
    opening: str
    seconds: tuple[float, float] = (0.0, 0.0)
    """Time each side took to decide."""
    index: int = 0
    first: int = 0
    """Which of the two players had the first move."""

    @property
    def points(self) -> float:
        """What the first named player got: 1, ½ or 0."""
        return 0.5 if self.winner is None else float(self.winner == self.first)

    def time_of(self, player: int) -> float:
        """Seconds a player took."""
        return self.seconds[player ^ self.first]


def seeds_of_duel(root: int, index: int) -> Seeds:
    """The seeds of game `index` of a match."""
    sides = [(seed_of(root, "pair", index // 2, side), seed_of(root, "duel", index, side)) for side in (0, 1)]
    return sides[0], sides[1]


def play_duel(
    game: GameForTwo,
    rules: Any,
    players: Sequence[Any],
    seeds: Seeds,
    watch: Callable[[Position, str], None] | None = None,
) -> Duel:
    """Let two players play, side 0 first; `watch` is shown every position, with the move that led to it."""
    openings: list[Chance] = [Stream(opening) for opening, _ in seeds]
    chances = [Stream(luck) for _, luck in seeds]
    state = game.begin(rules, players, openings)
    opening, moves, seconds = game.opening(state), [], [0.0, 0.0]
    if watch:
        watch(state, "")
    while not state.outcome:
        side = state.to_move
        began = perf_counter()
        move = players[side].choose(state.observation(side), state.legal_moves(), chances[side])
        seconds[side] += perf_counter() - began
        state = state.play(move)
        moves.append(game.write_move(move))
        if watch:
            watch(state, moves[-1])
    return Duel(state.outcome.winner, state.outcome.reason, tuple(moves), opening, (seconds[0], seconds[1]))


def _play_chunk(game: GameForTwo, rules: Any, players: Sequence[Any], root: int, chunk: Chunk) -> list[Duel]:
    played = []
    for index in range(chunk[0], sum(chunk)):
        first = index % 2
        duel = play_duel(game, rules, (players[first], players[1 - first]), seeds_of_duel(root, index))
        played.append(replace(duel, index=index, first=first))
    return played


def play_duels(
    game: GameForTwo, rules: Any, players: Sequence[Any], games: int, root: int = 1, workers: int = 1
) -> Iterator[Duel]:
    """Yield the games of a match in order."""
    if len(players) != 2:
        raise BadAgent(f"{game.name} is a game for two, not for {len(players)}.")
    task = partial(_play_chunk, game, rules, tuple(players), root)
    if workers == 1:
        for index in range(games):
            yield from task((index, 1))
    else:
        yield from in_order(task, False, games, workers, None, None)
