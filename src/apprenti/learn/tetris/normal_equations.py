"""Greedy games and what they say of a value function, from Python: the sums that least squares are solved from.

A wall's value is V(s) = r·φ(s), a weighted sum of criteria. φ of a wall is what `criteria.py` measures of the move that
led to it; the empty wall at the beginning has the criteria of an empty board, and 0 for those of a move. The greedy
player maximises lines + γ V over the placements of the piece.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadRules
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.fast.measures import Recipes
from apprenti.games.tetris.fast.players import stop_signal
from apprenti.games.tetris.fast.primitives import LANES, MOST_ORIENTATIONS, MOST_PIECES, TERMS_SIZE, at
from apprenti.games.tetris.fast.tables import NEVER_ENDS, TALLEST, Plan, Tables, plan_of, tables_for, weights_for
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import Layout, Weights, fold
from apprenti.learn.tetris import normal_equations_kernel as compiled

Reals = NDArray[np.float64]
End = Literal["avoided", "nothing", "criteria"]
"""What the end of a game is to the player who chooses: less than anything, worth 0, or what its criteria say."""

ENDS: dict[str, int] = {
    "avoided": compiled.AVOIDED, "nothing": compiled.WORTH_NOTHING, "criteria": compiled.BY_CRITERIA,
}  # fmt: skip
_compiled: set[Plan] = set()


@contextmanager
def _announcing(plan: Plan) -> Iterator[None]:
    """Say that a plan is being compiled, the first time it is used; later games may take their time in silence."""
    if plan in _compiled:
        yield
        return
    with announcing("a greedy player"):
        yield
    _compiled.add(plan)


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
        return Sums(
            self.matrix + other.matrix, self.vector + other.vector, self.squares + other.squares,
            self.lines + other.lines, self.pieces + other.pieces, self.deaths + other.deaths, self.walls + other.walls,
        )  # fmt: skip


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
    found = scaled(weights, 1.0)
    lines = found.get("lines", 0.0)
    return {**found, "lines": worth + (lines if isinstance(lines, float) else 0.0)}


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
        self.tables: Tables = tables_for(rules)
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
        rates = (gamma, lam, 1.0)
        return self._record(
            compiled.DIFFERENCES, weights, player, player, seeds, rates, historic, max_pieces, keep, stop
        )

    def pairs(
        self, weights: Weights, before: Player, seeds: Sequence[tuple[int, int]], gamma: float = 1.0, *,
        end: End = "nothing", max_pieces: int = 0, keep: int = 0, stop: NDArray[np.int64] | None = None,
    ) -> Sums:  # fmt: skip
        """LSTDQ: the moves of the player `before`, and what the player with `weights` (its values, Q) would do next."""
        rates = (gamma, 0.0, 0.0)
        return self._record(
            compiled.PAIRS, weights, Player(weights, end), before, seeds, rates, False, max_pieces, keep, stop
        )

    def backups(
        self, weights: Weights, seeds: Sequence[tuple[int, int]], gamma: float = 1.0, *, end: End = "nothing",
        max_pieces: int = 0, keep: int = 0, stop: NDArray[np.int64] | None = None,
    ) -> Sums:  # fmt: skip
        """The least squares of approximate value iteration: each wall of the greedy player's games, backed up."""
        player = Player(scaled(weights, gamma), end)
        rates = (gamma, 0.0, 1.0)
        return self._record(compiled.BACKUPS, weights, player, player, seeds, rates, False, max_pieces, keep, stop)

    def criteria_of(self, board: Board) -> Reals:
        """φ of a standing wall, with 0 for the criteria of a move; it may be higher than the board."""
        return self._recipes.of_board(self.plan, board)

    def odds(self) -> Reals:
        """The probability of each piece, where it does not depend on those before."""
        kind, letters = self.rules.randomiser.kind, self.rules.pieces.letters
        if kind == "weighted":
            return np.diff(self.rules.randomiser.thresholds(self.rules.pieces), prepend=0.0)
        if kind != "uniform":
            raise BadRules(f"the mean over the next piece needs pieces dealt uniform or weighted, not {kind}.")
        return np.full(len(letters), 1 / len(letters))

    def _on_grid(self, player: Player, reward: float) -> Reals:
        weights = with_lines(player.weights, reward) if reward else player.weights
        return weights_for(fold(weights, self.rules.width, self.rules.height))

    def _record(
        self, what: int, weights: Weights, player: Player, before: Player, seeds: Sequence[tuple[int, int]],
        rates: tuple[float, float, float], historic: bool, max_pieces: int, keep: int,
        stop: NDArray[np.int64] | None,
    ) -> Sums:  # fmt: skip
        size, stride = self.size, -(-self.size // LANES) * LANES
        layout = Layout(self.names, self.rules.width)
        tables = self.tables
        game = tables.game.copy()
        game[at.MAX_PIECES] = max_pieces or NEVER_ENDS
        given = (
            (game, tables.shapes, tables.pieces),
            (tables.open_, tables.shares, tables.sequence),
            np.zeros(MOST_PIECES) if what == compiled.DIFFERENCES else self.odds(),
            np.array([what, size, stride, ENDS[player.end], ENDS[before.end], historic], np.int64),
            np.array(rates),
            self._on_grid(player, rates[compiled.REWARD]),
            self._on_grid(before, rates[compiled.REWARD]),
            tuple(np.array(layout.vector(w)) for w in (player.weights, before.weights, weights)),
            self._recipes.arrays,
            np.zeros(compiled.BOARDS * TERMS_SIZE + compiled.VECTORS * stride),
            np.zeros(compiled.BOARDS * at.WORK_SIZE, np.int32),
            np.zeros(2 * MOST_ORIENTATIONS + 16, np.int64),
            np.zeros(2 * LANES),
        )
        sums = np.zeros((size + 2, stride))
        results = np.zeros((len(seeds), at.RESULT_SIZE), np.int64)
        rows = np.zeros((len(seeds), keep * (size + 2)))
        stop = stop_signal() if stop is None else stop
        with _announcing(self.plan):
            for pair, result, kept in zip(np.array(seeds, np.uint64), results, rows, strict=True):
                compiled.record_game(self.plan, *given, pair, sums.ravel(), result, kept, stop)
        if what != compiled.PAIRS:
            sums[size + 1, :size] = np.diag(sums[:size, :size])
        return _sums(sums[:, :size], results, rows.reshape(len(seeds), keep, size + 2))


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
