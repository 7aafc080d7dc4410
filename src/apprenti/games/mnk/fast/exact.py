"""What is exact on small boards: the value of a position, all positions, and a player's chances over all games.

Values are of perfect play on both sides: 1 for a win of the player to move, 0 for a draw, −1 for a loss. There is no
sampling anywhere.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import ApprentiError, BadRules
from apprenti.games.mnk.codes import MOST_CELLS, Keys
from apprenti.games.mnk.kernel.board import bits_of, board_of, codes_of
from apprenti.games.mnk.kernel.search import (
    GOES_ON,
    PERFECT,
    RANDOM,
    UNKNOWN,
    WORST,
    YES,
    ask,
    chances,
    expand,
    values_of,
)
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State

NODES = 20_000_000
"""Positions to look at before giving up: about half a minute."""
_AT_ONCE = 1_000_000
"""Positions between two moments at which Ctrl-C is heard; what was found so far is in the table."""
_MOST_ENTRIES = 1 << 22


class TooHard(ApprentiError):
    """A position that was not solved within the limit."""


def _compile(*question: Any) -> None:
    """Compile the search, and say so if it takes a while."""
    if not ask.signatures:
        with announcing("the solver"):
            ask(*question, np.zeros(2, np.int64))


class Solver:
    """Solves positions of one board, and keeps what it has found for the next question."""

    def __init__(self, rules: Rules) -> None:
        if rules.cells > MOST_CELLS:
            raise TooHard(f"boards of up to {MOST_CELLS} cells can be solved, and {rules.size} has {rules.cells}.")
        self.rules = rules
        entries = max(16, min(_MOST_ENTRIES, 1 << int(rules.cells * 1.585 - 2)))
        self._keys = np.zeros(entries, np.uint64)
        self._entries = np.zeros(entries, np.int64)
        self._work = np.zeros((rules.cells + 1, 2, rules.cells + 1), np.int64)
        self.looked_at = 0
        """Positions looked at so far."""

    def value(self, state: State, nodes: int = NODES) -> int:
        """The value for the player to move; TooHard if that takes a look at more positions than `nodes`."""
        if state.outcome:
            return 0 if state.outcome.winner is None else -1  # who has just moved has won
        if self._reaches(state, 1, nodes):
            return 1
        return 0 if self._reaches(state, 0, nodes) else -1

    def values(self, state: State, nodes: int = NODES) -> dict[int, int]:
        return {cell: -self.value(state.play(cell), nodes) for cell in state.legal_moves()}

    def _reaches(self, state: State, target: int, nodes: int) -> bool:
        """Whether the player to move gets at least a draw (0), or a win (1)."""
        board = board_of(self.rules)
        marks = "XO" if state.to_move == 0 else "OX"
        own, other, free = (bits_of(state, mark) for mark in (*marks, "."))
        ply = self.rules.cells - state.cells.count(".")
        codes = np.zeros((self.rules.cells + 1, len(board.powers)), np.uint64)
        codes[ply] = codes_of(state)
        tables = (codes, self._work, self._keys, self._entries)
        _compile(board, own, other, free, target, ply, *tables)
        counter, limit = np.array([self.looked_at, 0]), self.looked_at + nodes
        while counter[0] < limit:
            counter[1] = min(limit, counter[0] + _AT_ONCE)
            answer = ask(board, own, other, free, target, ply, *tables, counter)
            self.looked_at = int(counter[0])
            if answer != UNKNOWN:
                return bool(answer == YES)
        raise TooHard(
            f"{state.notation} with {self.rules.k} in a row was not solved within {nodes:,} positions: "
            "choose a smaller board or a position with fewer free cells."
        )


@cache
def solver_for(rules: Rules) -> Solver:
    """The solver of a board, shared by all who ask."""
    return Solver(rules)


MOST_POSITIONS = 3_000_000

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Tree:
    """All positions that games reach, in the order of their number of marks; one for all images if `symmetric`."""

    rules: Rules
    symmetric: bool
    codes: Keys
    """The position as a number (see `codes.py`)."""
    ply: Numbers
    """How many marks are on the board."""
    after: Numbers
    """For each cell the number of the position after that move; −1 where there is no move."""
    keys: Keys
    """For each cell the key of that move in a table of actions."""
    images: Numbers
    """How many positions this one stands for."""
    result: Numbers
    """For the player to move: −1 if the game was lost, 0 if it ended in a draw, GOES_ON."""
    value: Numbers
    """For the player to move, with perfect play: 1, 0 or −1."""

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def optimal(self) -> Mask:
        """For each cell whether that move keeps the value."""
        mask: Mask = (self.after >= 0) & (self.value[self.after] == -self.value[:, None])
        return mask

    def keys_in(self, form: str) -> Keys:
        """For each cell the key of that move in a table of this form; 0 where there is no move."""
        return self.keys if form == "action" else self._codes_after

    @cached_property
    def _codes_after(self) -> Keys:
        return np.where(self.after >= 0, self.codes[self.after], np.uint64(0))


def _images(rules: Rules, codes: Keys) -> Numbers:
    """How many different positions the symmetries make of each."""
    weights = board_of(rules).powers
    digits = (codes[:, None] // np.uint64(3) ** np.arange(rules.cells, dtype=np.uint64)) % np.uint64(3)
    seen = np.sort(np.stack([(digits * row).sum(axis=1, dtype=np.uint64) for row in weights]), axis=0)
    images: Numbers = 1 + (seen[1:] != seen[:-1]).sum(axis=0, dtype=np.int64)
    return images


@lru_cache(maxsize=4)
def tree_of(rules: Rules, symmetric: bool = True, most: int = MOST_POSITIONS) -> Tree:
    """The tree of a board; BadRules if it has too many positions."""
    board = board_of(rules)
    views = len(board.powers) if symmetric else 1
    level, first = np.zeros(1, np.uint64), 0
    parts: list[tuple[Keys, Numbers, Keys, Numbers]] = []
    for ply in range(rules.cells + 1):
        after, keys = np.zeros((2, len(level), rules.cells), np.uint64)
        ended = np.zeros(len(level), np.int64)
        expand(board, ply, level, after, keys, ended, views)
        first += len(level)
        codes, numbers = np.unique(after[after > 0], return_inverse=True)
        moves = np.full(after.shape, -1)
        moves[after > 0] = first + numbers
        result = np.where(ended, -1, np.where((after > 0).any(axis=1), GOES_ON, 0))
        parts.append((level, moves, keys, result))
        level = codes
        if first + len(level) > most:
            raise BadRules(f"{rules.size} has more than {most:,} positions: that is too many to look at all of them.")
    codes, after_, keys, result = (np.concatenate(column) for column in zip(*parts, strict=True))
    ply_ = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    images = _images(rules, codes) if symmetric else np.ones(len(codes), np.int64)
    return Tree(rules, symmetric, codes, ply_, after_, keys, images, result, values_of(after_, result))


OPPONENTS = {"random": RANDOM, "perfect": PERFECT, "worst": WORST}


@dataclass(frozen=True)
class Chances:
    """How likely a game is won, drawn and lost."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        """A win is 1, a draw a half."""
        return self.win + self.draw / 2


def meets(tree: Tree, best: Mask, opponent: str) -> tuple[Chances, Chances]:
    """The exact chances as X and as O of a player who chooses among `best`, each as likely.

    The opponent is `random`, `perfect` (any move that keeps the value, each as likely) or `worst`: the one of all
    opponents who makes it lose most often.
    """
    kind = OPPONENTS[opponent]
    as_x, as_o = (Chances(*chances(tree.after, tree.ply, tree.result, tree.value, best, side, kind)) for side in (0, 1))
    return as_x, as_o


def never_loses(tree: Tree, best: Mask) -> bool:
    """Whether no opponent can ever beat the player, as X or as O, whichever of its best moves it chooses."""
    return all(side.loss == 0 for side in meets(tree, best, "worst"))


def share_optimal(tree: Tree, best: Mask) -> float:
    """In how many of all positions its choice keeps the value; where it draws among moves, as a share of them."""
    open_ = tree.result == GOES_ON
    share = (best & tree.optimal)[open_].sum(axis=1) / best[open_].sum(axis=1)
    return float(np.average(share, weights=tree.images[open_]))


def state_of(rules: Rules, code: int) -> State:
    """The position of a code."""
    return State(rules, "".join(".XO"[code // 3**cell % 3] for cell in range(rules.cells)))


def best_moves(rules: Rules, best: Callable[[State], Iterable[int]]) -> tuple[Tree, Mask]:
    """The tree of a board, and for each position the moves that any player may choose: it is asked for every one."""
    tree = tree_of(rules, symmetric=False)
    mask = np.zeros(tree.after.shape, np.bool_)
    for number in np.flatnonzero(tree.result == GOES_ON):
        mask[number, list(best(state_of(rules, int(tree.codes[number]))))] = True
    return tree, mask
