"""A Markov decision process as data: places, what can be done there, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass

Law = tuple[tuple[str, float, float], ...]
"""What a move leads to: a place, its probability and its reward; no place twice."""


@dataclass(frozen=True)
class Model:
    """Where it begins, and for each place its moves; a place without moves is an end."""

    start: str
    moves: Mapping[str, Mapping[str, Law]]

    @property
    def places(self) -> frozenset[str]:
        """All places, the ends among them."""
        reached = {place for moves in self.moves.values() for law in moves.values() for place, _, _ in law}
        return frozenset({self.start, *self.moves, *reached})
