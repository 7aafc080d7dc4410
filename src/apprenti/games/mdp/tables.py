"""Markov decision processes as data: places, what can be done there, what comes of it; two of them by name."""

from collections.abc import Mapping
from dataclasses import dataclass

from apprenti.core.errors import BadRules
from apprenti.core.game import RulesBase

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


ROBOT = Model(
    "high",
    {
        "high": {"search": (("high", 0.8, 2.0), ("low", 0.2, 2.0)), "wait": (("high", 1.0, 1.0),)},
        "low": {
            "search": (("high", 0.4, -3.0), ("low", 0.6, 2.0)),
            "wait": (("low", 1.0, 1.0),),
            "recharge": (("high", 1.0, 0.0),),
        },
    },
)
"""A robot collects cans and must not run flat (Sutton and Barto, example 3.3; the numbers are ours)."""


def _river() -> Model:
    """Six places in a river: left is easy and pays little, right is hard and pays much."""
    places = [f"place-{letter}" for letter in "abcdef"]
    moves: dict[str, dict[str, Law]] = {}
    for number, place in enumerate(places):
        before, after = places[max(0, number - 1)], places[min(5, number + 1)]
        left = ((before, 1.0, 0.005 if number == 0 else 0.0),)
        right: Law = ((before, 0.05, 0.0), (place, 0.6, 0.0), (after, 0.35, 0.0))
        if number in (0, 5):
            right = ((place, 0.4, 0.0), (after, 0.6, 0.0)) if number == 0 else ((before, 0.4, 0.0), (place, 0.6, 1.0))
        moves[place] = {"left": left, "right": right}
    return Model(places[0], moves)


TABLES = {"robot": ROBOT, "river": _river()}
"""The recycling robot, and the river (Strehl and Littman 2008)."""


@dataclass(frozen=True)
class Rules(RulesBase):
    """A table by its name."""

    world: str = "robot"
    """robot (two places, search, wait or recharge) or river (six places, against the current or with it)."""
    max_moves: int = 100
    """A game is cut after this number of moves: these worlds have no end."""

    def __post_init__(self) -> None:
        if self.world not in TABLES:
            raise BadRules(f"a decision process is {' or '.join(TABLES)}, not {self.world!r:.40}.")
        if type(self.max_moves) is not int or not 1 <= self.max_moves <= 1_000_000:
            raise BadRules(f"--max-moves is from 1 to 1000000, not {self.max_moves}.")

    @property
    def model(self) -> Model:
        """The world as a decision process."""
        return TABLES[self.world]
