"""Every wall of a small board that play can lead to, found once and numbered, in memory that is planned before."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import announcing
from apprenti.core.errors import BadRules
from apprenti.core.machine import ThreadPool, in_words
from apprenti.games.tetris.kernel.walls import (
    LARGEST,
    DropTables,
    build_index,
    count_walls,
    drop_tables,
    explore,
    sort_walls,
)
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.walls import is_symmetric, why_not

Say = Callable[[str], None]
Chunk = tuple[int, int]
"""The first, and the one after the last."""

PROBE_BITS = 24
"""A board of this many cells is explored in a moment, to guess how many walls a larger one has."""
SOLVED_BITS = 40
"""No table of a larger board has ever been made."""
PLACE_BITS = 29
"""Bits for the place of a wall among all, so that the lines of a move fit beside it into 32."""


def cells_of(rules: Rules) -> int:
    """Cells of the board: the bits of a wall."""
    return rules.width * rules.height


def bitmap_bytes(cells: int) -> int:
    """One bit for each wall, reachable or not."""
    return max(8, (1 << cells) // 8)


def index_size(cells: int) -> int:
    """Entries of the index of all walls: 32 bits each, and how many walls came before."""
    return max(1, (1 << cells) // 32)


@dataclass(frozen=True)
class MemoryPlan:
    """What solving a board takes, before anything is taken."""

    rules: Rules
    walls: int
    """Reachable walls, a wall and its mirror image counted once where they are worth the same."""
    is_guess: bool
    """Whether the number of walls is a guess from a lower board."""
    arrays: int
    """Numbers of 64 bits a wall that the method needs."""

    @property
    def bytes(self) -> int:
        """The most that is needed at any time.

        Exploring: what was seen, what was followed. Sorting: what was seen, the index (twice as large), the walls in
        order. Solving: the index, the walls, a successor for each piece, the values, a copy of them to play with.
        """
        bitmap = bitmap_bytes(cells_of(self.rules))
        sorted_ = (4 if cells_of(self.rules) <= 32 else 8) + 4
        solved = sorted_ + 4 * len(self.rules.pieces.pieces) + 8 * self.arrays + 4
        return 3 * bitmap + sorted_ * self.walls + max(0, (solved - sorted_) * self.walls - bitmap)

    def __str__(self) -> str:
        about = "about " if self.is_guess else ""
        return f"{about}{self.walls} walls, {about}{in_words(self.bytes)} of memory"

    def check(self, allowed: int) -> "MemoryPlan":
        size = f"{self.rules.width}x{self.rules.height}"
        if self.bytes > allowed:
            raise BadRules(
                f"a board of {size} would need {'about ' if self.is_guess else ''}{in_words(self.bytes)} of memory, "
                f"and {in_words(allowed)} may be taken: choose a smaller --size."
            )
        if self.walls >= 1 << PLACE_BITS:
            raise BadRules(f"a board of {size} has {self.walls} walls, more than can be numbered here: choose smaller.")
        return self


def plan(rules: Rules, arrays: int, allowed: int) -> MemoryPlan:
    """Plan the memory of a board, or refuse it."""
    reason = why_not(rules)
    if reason:
        raise BadRules(reason + ".")
    cells = cells_of(rules)
    low = replace(rules, height=min(rules.height, max(2, PROBE_BITS // rules.width)), max_pieces=0)
    is_guess = low.height < rules.height or cells_of(low) > PROBE_BITS + 2
    if cells_of(low) > PROBE_BITS + 2:
        walls = (1 << cells) // 20
    else:  # a smaller part of the walls of higher boards is reachable, so this is rather too many
        walls = _count(low) << (cells - cells_of(low))
    return _checked(MemoryPlan(rules, walls, is_guess, arrays), allowed)


def plan_every_wall(rules: Rules, arrays: int, allowed: int) -> MemoryPlan:
    """Plan the memory of all walls of a board, or refuse it."""
    if reason := why_not(rules):
        raise BadRules(reason + ".")
    halves = 1 << rules.height * ((rules.width + 1) // 2)  # walls that are their own image
    both = 1 << cells_of(rules)
    return _checked(MemoryPlan(rules, (both + halves) // 2 if is_symmetric(rules) else both, False, arrays), allowed)


def _checked(planned: MemoryPlan, allowed: int) -> MemoryPlan:
    """The plan, if it can be carried out."""
    rules = planned.check(allowed).rules
    if rules.width * rules.rows > LARGEST:
        raise BadRules(
            f"pieces stick out too far from a wall of {rules.width}x{rules.height}: choose a smaller --size."
        )
    return planned


@lru_cache(maxsize=16)
def _count(rules: Rules) -> int:
    seen = _explored(rules, drop_tables(rules, is_symmetric(rules)), ThreadPool(1), lambda _: None)
    return int(np.bitwise_count(seen.view(np.uint64)).sum())


@dataclass(frozen=True)
class Space:
    """The reachable walls of a board, in two orders: by number, and by full cells, the fullest first."""

    rules: Rules
    drops: DropTables
    """The drops of the rules, as every kernel on walls takes them first."""
    index: NDArray[np.int64]
    """From a wall to its place among all, by number (`kernel.walls.rank`)."""
    walls: NDArray[np.generic]
    """The walls by full cells."""
    places: NDArray[np.uint32]
    """The place of each of these."""
    levels: tuple[Chunk, ...]
    """The parts of `walls` with equally many cells."""
    total: int
    """Reachable walls, mirror images and all."""
    mirrored: bool
    """Whether a wall stands for its mirror image."""

    @property
    def size(self) -> int:
        """Reachable walls, a wall and its mirror image counted once."""
        return len(self.walls)


def explore_walls(rules: Rules, threads: ThreadPool, say: Say = lambda _: None, mirrored: bool | None = None) -> Space:
    """Find every reachable wall of a board that has been planned.

    A wall stands for its mirror image where that changes nothing; not so for who plays left and right differently.
    """
    mirrored = is_symmetric(rules) if mirrored is None else mirrored
    drops = drop_tables(rules, mirrored)
    return _sorted(rules, drops, _explored(rules, drops, threads, say), mirrored)


def every_wall(rules: Rules) -> Space:
    """All the walls of a board, whether play leads to them or not; a full row that is there already stays."""
    mirrored = is_symmetric(rules)
    drops, cells = drop_tables(rules, mirrored), cells_of(rules)
    seen, part = np.zeros(bitmap_bytes(cells) // 8, np.int64), min(1 << cells, 1 << 20)
    for first in range(0, 1 << cells, part):
        walls = np.arange(first, first + part)
        rows = [
            drops.images[walls >> shift & ((1 << rules.width) - 1)] << shift for shift in range(0, cells, rules.width)
        ]
        kept = np.packbits(walls >= np.bitwise_or.reduce(rows), bitorder="little")
        seen.view(np.uint8)[first // 8 : first // 8 + len(kept)] = kept
    return _sorted(rules, drops, seen, mirrored)


def _sorted(rules: Rules, drops: DropTables, seen: NDArray[np.int64], mirrored: bool) -> Space:
    """The walls of a bitmap, numbered."""
    index = np.zeros(index_size(cells_of(rules)), np.int64)
    size = int(build_index(seen, index))
    levels = np.zeros(65, np.int64)
    own = int(count_walls(seen, drops, levels))
    begins = np.concatenate([[0], np.cumsum(levels[::-1])])[:-1][::-1].copy()
    parts = tuple((int(begin), int(begin + n)) for begin, n in zip(begins, levels, strict=True) if n)[::-1]
    walls = np.empty(size, np.uint32 if cells_of(rules) <= 32 else np.int64)
    places = np.empty(size, np.uint32)
    sort_walls(seen, begins, walls, places)
    return Space(rules, drops, index, walls, places, parts, 2 * size - own if mirrored else size, mirrored)


def warm_up() -> None:
    """Compile what exploring needs."""
    with announcing("the exploration of walls"):
        explore_walls(Rules.preset("simplified", "2x2", pieces="domino"), ThreadPool(1))


def chunks(begin: int, end: int, most: int) -> list[Chunk]:
    """A range in parts of a fixed size."""
    return [(first, min(first + most, end)) for first in range(begin, end, most)]


def _explored(rules: Rules, drops: DropTables, threads: ThreadPool, say: Say) -> NDArray[np.int64]:
    """The bitmap of the reachable walls."""
    seen = np.zeros(bitmap_bytes(cells_of(rules)) // 8, np.int64)
    done = np.zeros_like(seen)
    seen[0] = 1
    arrays, count, parts = tuple(drops), 0, chunks(0, len(seen), max(1 << 10, len(seen) >> 10))
    while True:
        more = sum(threads.each(lambda part: int(explore(arrays, seen, done, *part)), parts))
        if not more:
            return seen
        count += more
        say(f"{count} walls")
