"""Greedy games and what they say of a value function, from Python: the sums that least squares are solved from.

A wall's value is V(s) = r·φ(s), a weighted sum of criteria. φ of a wall is what `criteria.py` measures of the move that
led to it; the empty wall at the beginning has the criteria of an empty board, and 0 for those of a move. The greedy
player maximises lines + γ V over the placements of the piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadRules
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.measures import Recipes
from apprenti.games.tetris.fast.players import no_results, stop_signal
from apprenti.games.tetris.fast.primitives import LANES, TERMS_SIZE, at
from apprenti.games.tetris.fast.tables import TALLEST, Plan, plan_of, scratch, tables_for, weights_for
from apprenti.games.tetris.learn import normal_equations_kernel as compiled
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import Layout, Weights, fold

Reals = NDArray[np.float64]
End = Literal["avoided", "nothing", "criteria"]
"""What the end of a game is to the player who chooses: less than anything, worth 0, or what its criteria say."""

ENDS: dict[str, int] = {
    "avoided": compiled.AVOIDED, "nothing": compiled.WORTH_NOTHING, "criteria": compiled.BY_CRITERIA,
}  # fmt: skip


@dataclass(frozen=True)
class Wall:
    """A wall of a game: its criteria, the lines of the move from it, and whether it is the dead one at the end."""

    criteria: tuple[float, ...]
    lines: int
    dead: bool


@dataclass(frozen=True)
class Sums:
    """What some games add up to: a matrix and a vector, the squares of the criteria, and how the games went."""

    matrix: Reals
    vector: Reals
    squares: Reals
    lines: tuple[int, ...]
    pieces: tuple[int, ...]
    deaths: int
    walls: tuple[tuple[Wall, ...], ...] = ()
    """The first walls of each game, if they were asked for."""

    def plus(self, other: "Sums") -> "Sums":
        """The sums of these games and others."""
        return Sums(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


@dataclass(frozen=True)
class Player:
    """Who plays: the weights it maximises, the lines of a move among them or not, and what an end is to it."""

    weights: Weights
    end: End = "avoided"


def scaled(weights: Weights, factor: float) -> dict[str, float | list[float]]:
    """The weights times a number."""
    return {
        name: [factor * float(w) for w in weight] if isinstance(weight, Sequence) else factor * float(weight)
        for name, weight in weights.items()
    }


def with_lines(weights: Weights, worth: float) -> dict[str, float | list[float]]:
    """The weights with so much more for every line of the move: what a greedy player maximises."""
    every = scaled(weights, 1.0)
    lines = every.get("lines", 0.0)
    return {**every, "lines": worth + (lines if isinstance(lines, float) else 0.0)}


def odds_of(rules: Rules) -> Reals:
    """The probability of each piece, where it does not depend on those before."""
    kind, letters = rules.randomiser.kind, rules.pieces.letters
    if kind == "weighted":
        return np.diff(rules.randomiser.thresholds(rules.pieces), prepend=0.0)
    if kind != "uniform":
        raise BadRules(f"the mean over the next piece needs pieces dealt uniform or weighted, not {kind}.")
    return np.full(len(letters), 1 / len(letters))


class Recorder:
    """Plays greedy games on one board with one set of criteria."""

    def __init__(self, rules: Rules, names: Sequence[str], plan: Plan | None = None) -> None:
        """`plan` is for a compilation that serves more than these criteria."""
        tallest = max(rotation.height for piece in rules.pieces.pieces for rotation in piece.rotations)
        if rules.height + tallest > TALLEST:
            raise BadRules(
                f"games are recorded on boards up to {TALLEST - tallest} rows high, not {rules.height}, because the "
                "piece that sticks out at the end is measured too."
            )
        self.rules, self.names = rules, tuple(names)
        self.plan: Plan = plan or plan_of([*self.names, "lines"])
        self._recipes = Recipes.of(rules, self.names)
        self.size = self._recipes.size

    def differences(
        self, weights: Weights, seeds: Sequence[tuple[int, int]], lam: float, gamma: float = 1.0, *,
        historic: bool = False, end: End = "nothing", max_pieces: int = 0, keep: int = 0,
        stop: NDArray[np.int64] | None = None,
    ) -> Sums:  # fmt: skip
        """The least squares of λ-policy iteration: equations 2.9 to 2.11 of the thesis; `historic`: 2.14 and 2.15."""
        player = Player(scaled(weights, gamma), end)
        job = self._job(compiled.DIFFERENCES, gamma, lam, historic=historic, keep=keep)
        return self._record(job, weights, player, player, seeds, max_pieces, stop)

    def pairs(
        self, weights: Weights, before: Player, seeds: Sequence[tuple[int, int]], gamma: float = 1.0, *,
        end: End = "nothing", max_pieces: int = 0, keep: int = 0, stop: NDArray[np.int64] | None = None,
    ) -> Sums:  # fmt: skip
        """LSTDQ: the moves of the player `before`, and what the player with `weights` (its values, Q) would do next."""
        job = self._job(compiled.PAIRS, gamma, reward=0.0, keep=keep)
        return self._record(job, weights, Player(weights, end), before, seeds, max_pieces, stop)

    def backups(
        self, weights: Weights, seeds: Sequence[tuple[int, int]], gamma: float = 1.0, *, end: End = "nothing",
        max_pieces: int = 0, keep: int = 0, stop: NDArray[np.int64] | None = None,
    ) -> Sums:  # fmt: skip
        """The least squares of approximate value iteration: each wall of the greedy player's games, backed up."""
        player = Player(scaled(weights, gamma), end)
        job = self._job(compiled.BACKUPS, gamma, keep=keep)
        return self._record(job, weights, player, player, seeds, max_pieces, stop)

    def criteria_of(self, board: Board) -> Reals:
        """φ of a standing wall, as if a piece had landed at height 0; it may be higher than the board."""
        return self._recipes.of_board(self.plan, board)

    def odds(self) -> Reals:
        """The probability of each piece."""
        return odds_of(self.rules)

    def _job(
        self, what: int, gamma: float, lam: float = 0.0, reward: float = 1.0, historic: bool = False, keep: int = 0
    ) -> compiled.Job:
        stride = -(-self.size // LANES) * LANES
        return compiled.Job(what, self.size, stride, historic, float(gamma), float(lam), reward, keep)

    def _player(self, player: Player, reward: float) -> compiled.GreedyPlayer:
        weights = with_lines(player.weights, reward) if reward else player.weights
        folded = fold(weights, self.rules.width, self.rules.height)
        return compiled.GreedyPlayer(weights_for(folded), self._vector(player.weights), ENDS[player.end])

    def _vector(self, weights: Weights) -> Reals:
        return np.array(Layout(self.names, self.rules.width).vector(weights))

    def _record(
        self, job: compiled.Job, weights: Weights, player: Player, before: Player, seeds: Sequence[tuple[int, int]],
        max_pieces: int, stop: NDArray[np.int64] | None,
    ) -> Sums:  # fmt: skip
        size, stride = job.size, job.stride
        players = (self._player(player, job.reward), self._player(before, job.reward), self._vector(weights))
        odds = np.zeros(0) if job.what == compiled.DIFFERENCES else self.odds()
        sums, results = np.zeros((size + 2, stride)), no_results(len(seeds))
        walls = np.zeros((len(seeds), job.keep, size + 2))
        with announcing("a greedy player", ("greedy", self.plan)):
            compiled.record_games(
                self.plan, tables_for(self.rules.changed(max_pieces=max_pieces)), job, compiled.Players(*players), odds,
                self._recipes.arrays, scratch(compiled.BOARDS),
                np.zeros(compiled.BOARDS * TERMS_SIZE + compiled.VECTORS * stride), np.array(seeds, np.uint64).ravel(),
                compiled.Sums(sums.ravel(), results.ravel(), walls.ravel()), stop_signal() if stop is None else stop,
            )  # fmt: skip
        if job.what != compiled.PAIRS:
            sums[size + 1, :size] = np.diag(sums[:size, :size])
        return _sums(sums[:, :size], results, walls)


def _sums(sums: Reals, results: NDArray[np.int64], rows: Reals) -> Sums:
    size = sums.shape[1]
    pieces = results[:, at.R_PIECES]
    walls = tuple(
        tuple(Wall(tuple(map(float, row[:-2])), int(row[-2]), bool(row[-1])) for row in game[: pieces[i] + 1])
        for i, game in enumerate(rows)
    )
    lines = tuple(map(int, results[:, at.R_LINES]))
    deaths = int(results[:, at.R_DIED].sum())
    return Sums(
        sums[:size].copy(), sums[size].copy(), sums[size + 1].copy(), lines, tuple(map(int, pieces)), deaths,
        walls if rows.size else (),
    )  # fmt: skip
