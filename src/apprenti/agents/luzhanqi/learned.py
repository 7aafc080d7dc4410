"""What players of Luzhanqi that have been learned share."""

from collections.abc import Sequence
from typing import Any

from apprenti.agents.arrays import same_arrays
from apprenti.core.seeds import Chance, pick
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.observation import Observation


def next_piece(observation: Observation, legal: Sequence[str], rng: Chance) -> str:
    """Where a game asks for the army piece by piece: as a layout of the book goes on or, failing that, any piece."""
    known = [layout for layout in book(observation.rules) if layout.startswith(observation.layout)]
    return pick(rng, known)[len(observation.layout)] if known else pick(rng, legal)


def same(first: Any, second: Any) -> bool:
    """Whether two agents have the same arrays."""
    return same_arrays(first.arrays(), second.arrays())
