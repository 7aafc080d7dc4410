"""The compiled engine from Python: whole games for a player with weights, many times faster than the readable rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from time import perf_counter
from typing import ClassVar, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import CommonReason, GameRecord, GameSeeds, Outcome
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.tables import (
    LANES,
    Plan,
    columns_of,
    options_for,
    orientations,
    packed,
    plan_for,
    scratch,
    tables_for,
    weights_for,
    why_not,
)
from apprenti.games.tetris.game import measures_of
from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.play import answer, play_games, probe
from apprenti.games.tetris.kernel.walls import drop_names
from apprenti.games.tetris.placement import legal_placements
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import End, Tally
from apprenti.games.tetris.weights import Evaluator, Weights, frozen

__all__ = [
    "CompiledPlayer", "GameResult", "WholeGames", "actions_on", "answers", "drop_names", "has_answers",
    "placement_values", "play", "stop_signal", "why_not",
]  # fmt: skip


@dataclass(frozen=True)
class CompiledPlayer:
    """A player with weights, for the kernel."""

    evaluator: Evaluator
    plan: Plan | None = None
    """What to compute, if it is to be more than the weights need: one compilation can then serve many players."""
    together: ClassVar[int] = 0
    keeps_moves: ClassVar[bool] = True

    @classmethod
    def of(cls, weights: Weights, look: str = "", ties: str = "first", plan: Plan | None = None) -> "CompiledPlayer":
        """A player from a mapping of weights."""
        if look and ties != "first":
            raise BadAgent("another tie rule than `first` is only for players that look at one piece.")
        return cls(Evaluator("sum", (frozen(weights),), look=look, ties=ties), plan)

    def plays(self, rules: Rules) -> bool:
        """Whether the kernel plays these rules."""
        return why_not(rules) is None

    def prepared(self, rules: Rules) -> tuple[Plan, NDArray[np.float64]]:
        """What the kernel needs for a size of board."""
        evaluator, options = self.evaluator, options_for(rules, self.evaluator)
        if not any(evaluator.sums):
            return Plan(frozenset(options)), np.zeros(at.WEIGHTS_SIZE)
        folded = evaluator.folded(rules.width, rules.height)
        plan = self.plan or Plan(frozenset().union(*(plan_for(one, *options).names for one in folded)))
        return plan, packed(np.array([weights_for(one) for one in folded]), evaluator, evaluator.biases)


@dataclass(frozen=True)
class GameResult:
    """A finished game: its tally, whether the rules ended it, and its first moves if they were asked for."""

    tally: Tally
    died: bool
    moves: tuple[tuple[str, int, int], ...] = ()
    """(letter, rotation, column)"""


class OwnGames(Protocol):
    """A compiled player that is no sum of criteria and brings its own games."""

    together: ClassVar[int] = 0
    """Games that are best played in one call; 0 if it makes no difference."""
    keeps_moves: ClassVar[bool] = True
    """Whether it can write moves down."""

    def plays(self, rules: Rules) -> bool:
        """Whether it plays these rules."""

    def play(
        self, rules: Rules, seeds: Sequence[tuple[int, int]], keep_moves: int, stop: NDArray[np.int64] | None
    ) -> list[GameResult]:
        """A game for each pair of seeds, as `play` has them."""


def stop_signal() -> NDArray[np.int64]:
    """Set its only number to 1, from any thread, and the games that were given it end at their next piece."""
    return np.zeros(1, np.int64)


def play(
    rules: Rules,
    player: CompiledPlayer | OwnGames,
    seeds: Sequence[tuple[int, int]],
    keep_moves: int = 0,
    stop: NDArray[np.int64] | None = None,
) -> list[GameResult]:
    """Play a game for each pair of seeds (one for the pieces, one for the player's own chance)."""
    if not isinstance(player, CompiledPlayer):
        return player.play(rules, seeds, keep_moves, stop)
    if player.evaluator.look == "next_piece" and not rules.preview:
        raise BadAgent("this player must know the next piece, and these rules hide it: use rules with a preview.")
    plan, weights = player.prepared(rules)
    games = Games.of(rules, plan, weights[np.newaxis], seeds, keep_moves, stop)
    games.play()
    names = orientations(rules)
    return [
        result_of(row, ((*names[m // 16], int(m % 16)) for m in kept))
        for row, kept in zip(games.results[0], games.moves, strict=True)
    ]


@dataclass(frozen=True)
class Games:
    """Games of several players of one plan, all with the same seeds. Any number of threads may `play` them together."""

    rules: Rules
    plan: Plan
    weights: NDArray[np.float64]
    """A row for each player."""
    seeds: NDArray[np.uint64]
    results: NDArray[np.int64]
    """(player, game, field)"""
    moves: NDArray[np.int64]
    stop: NDArray[np.int64]
    counter: NDArray[np.int64]
    """How many games have been begun, by all threads."""

    @classmethod
    def of(
        cls,
        rules: Rules,
        plan: Plan,
        weights: NDArray[np.float64],
        seeds: Sequence[tuple[int, int]],
        keep_moves: int = 0,
        stop: NDArray[np.int64] | None = None,
    ) -> "Games":
        """Get everything ready; nothing is played."""
        return cls(
            rules,
            plan,
            np.array(weights),  # what came from another process may be read-only: another type, another compilation
            np.tile(np.array(seeds, np.uint64), (len(weights), 1, 1)),
            np.zeros((len(weights), len(seeds), at.RESULT_SIZE), np.int64),
            np.zeros((len(weights) * len(seeds), keep_moves), np.int64),
            stop_signal() if stop is None else stop,
            np.zeros(1, np.int64),
        )

    def scores(self, unit: str) -> NDArray[np.float64]:
        """(player, game) → its `lines` or `points`."""
        return self.results[..., at.R_POINTS if unit == "points" else at.R_LINES].astype(float)

    @property
    def died(self) -> NDArray[np.bool_]:
        """(player, game) → whether the rules ended the game."""
        return self.results[..., at.R_DIED] > 0

    def play(self) -> None:
        """Play until every game has been begun."""
        players = np.repeat(np.arange(len(self.weights)) * self.weights.shape[1], self.seeds.shape[1])
        with announcing("a Tetris player", self.plan):
            play_games(
                self.plan, tables_for(self.rules), self.weights.ravel(), players, self.seeds.ravel(),
                self.results.ravel(), self.moves.ravel(), self.counter, scratch(), self.stop,
            )  # fmt: skip


@dataclass
class BlockOfGames:
    """Games of several players with the same seeds, as a task: who and which is said later, perhaps elsewhere."""

    rules: Rules
    plan: Plan
    stop: NDArray[np.int64]

    def __call__(self, weights: NDArray[np.float64], seeds: list[tuple[int, int]]) -> tuple[NDArray[np.int64], float]:
        """(player, game, field) → the results, and the seconds they took."""
        began = perf_counter()
        games = Games.of(self.rules, self.plan, weights, seeds, stop=self.stop)
        games.play()
        return games.results, perf_counter() - began


def placement_values(rules: Rules, player: CompiledPlayer, board: Board, letter: str) -> dict[tuple[int, int], float]:
    """(rotation, column) → value, for the placements the rules allow; minus infinity where the game would end.

    A value is exact up to a constant that is the same for all placements: what moves no choice is left out.
    """
    plan, weights = player.prepared(rules)
    values = np.zeros(at.MOST_ORIENTATIONS * LANES)
    piece = rules.pieces.letters.index(letter)
    with announcing("a Tetris player", plan):
        probe(plan, tables_for(rules), weights, columns_of(board)[0], piece, scratch(), values)
    legal = legal_placements(rules, board, letter)
    return {(p.rotation, p.column): float(values[p.rotation * LANES + p.column]) for p in legal}


def no_results(games: int) -> NDArray[np.int64]:
    """A row for the result of each game."""
    return np.zeros((games, at.RESULT_SIZE), np.int64)


def result_of(row: NDArray[np.int64], moves: Iterable[tuple[str, int, int]] = ()) -> GameResult:
    """A row of results, with as many of the moves as the row counts."""
    clears = tuple(int(n) for n in row[at.R_CLEARS : at.R_CLEARS + at.WIDEST])
    tally = Tally(int(row[at.R_LINES]), int(row[at.R_POINTS]), 0, int(row[at.R_PIECES]), clears)
    return GameResult(tally, bool(row[at.R_DIED]), tuple(islice(moves, int(row[at.R_MOVES]))))


# What a player does with each piece on many walls at once -------------------------------------------------------------


Walls = NDArray[np.integer]


def has_answers(player: object, rules: Rules) -> TypeGuard[CompiledPlayer]:
    """Whether a player is compiled, leaves nothing to luck and wants to know the piece in play alone."""
    if not isinstance(player, CompiledPlayer) or not player.plays(rules):
        return False
    return player.evaluator.ties != "random" and player.evaluator.look != "next_piece"


def actions_on(rules: Rules, player: CompiledPlayer, columns: NDArray[np.int32]) -> NDArray[np.int64]:
    """(boards, pieces) → the action that the player plays with each piece on each board of sixteen columns."""
    plan, weights = player.prepared(rules)
    chosen = np.empty(len(columns) * len(rules.pieces.pieces), np.int64)
    with announcing("a Tetris player", (plan, "answers")):
        answer(plan, tables_for(rules), weights, np.ascontiguousarray(columns).ravel(), scratch(), chosen)
    rotations = np.array([rotation for _, rotation in orientations(rules)])
    return (rotations[chosen // 16] * rules.width + chosen % 16).reshape(len(columns), -1)


def answers(rules: Rules, player: CompiledPlayer, walls: Walls) -> NDArray[np.int64]:
    """(walls, pieces) → the drop that the player plays, by its number."""
    letters, numbers = rules.pieces.letters, np.full((len(rules.pieces.pieces), 4 * rules.width), -1)
    for number, (letter, rotation, column) in enumerate(drop_names(rules)):
        numbers[letters.index(letter), rotation * rules.width + column] = number
    actions = actions_on(rules, player, columns_of_walls(rules, walls))
    return numbers[np.arange(len(letters)), actions]


def columns_of_walls(rules: Rules, walls: Walls) -> NDArray[np.int32]:
    """(walls, 16): their columns as bits."""
    rows, columns = np.arange(rules.height), np.zeros((len(walls), LANES), np.int32)
    for column in range(rules.width):
        cells = walls.astype(np.int64)[:, None] >> (rows * rules.width + column) & 1
        columns[:, column] = (cells << rows).sum(axis=1)
    return columns


# As the arena records games -------------------------------------------------------------------------------------------


@dataclass
class WholeGames:
    """Tetris in compiled form, with its player."""

    rules: Rules
    player: CompiledPlayer | OwnGames
    stop: NDArray[np.int64] = field(default_factory=stop_signal)

    @property
    def together(self) -> int:
        """Games that are best played in one call."""
        return self.player.together

    @property
    def keeps_moves(self) -> bool:
        """Whether it can write moves down."""
        return self.player.keeps_moves

    def limited(self, moves: int) -> Self:
        """The same, for games that stop after a number of pieces."""
        return replace(self, rules=replace(self.rules, max_pieces=moves))

    def play(self, seeds: Sequence[GameSeeds], moves: int = 0) -> list[GameRecord]:
        """Play a game for each of the seeds."""
        began = perf_counter()
        pairs = [(seed.chance, seed.players[0]) for seed in seeds]
        results = play(self.rules, self.player, pairs, moves, self.stop)
        each = (perf_counter() - began) / max(1, sum(result.tally.pieces for result in results))
        return [self._record(result, seed, each) for result, seed in zip(results, seeds, strict=True)]

    def warm_up(self) -> None:
        play(replace(self.rules, max_pieces=1), self.player, [(1, 1)])

    def _record(self, result: GameResult, seeds: GameSeeds, seconds: float) -> GameRecord:
        tally, limit = result.tally, self.rules.max_pieces
        last = End.LAST_PIECE if limit and tally.pieces >= limit else CommonReason.STOPPED
        reason = CommonReason.BY_RULES if result.died else last
        return GameRecord(
            Outcome(reason, truncated=not result.died, scores=(float(tally.points),)),
            measures_of(tally),
            tuple(f"P:{column}:{rotation}" for _, rotation, column in result.moves),
            seed=seeds.chance,
            seconds=(seconds * tally.pieces,),
            slowest=seconds,
            length=tally.pieces,
        )
