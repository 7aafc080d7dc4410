"""The actor of the LuJunQi report: a perceptron over pairs (piece, point), and one that places the army."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import AgentBase, ComparedByArrays
from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.mlp import Mlp, Vector, draw, restricted
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.agents.players import next_piece
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.layout import book, book_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import NONE, TYPES
from apprenti.games.luzhanqi.report_state import (
    INPUTS,
    PAIRS,
    PLACES,
    earlier_boards,
    half_board,
    inputs,
    legal_places,
    letters_of_layout,
    of_observation,
)
from apprenti.games.luzhanqi.rules import Rules


def check_follows(rules: Rules) -> None:
    """Refuse rules under which the earlier boards of a game do not follow from its moves alone."""
    if rules.flag == "carried":
        raise BadAgent("an actor with a memory does not play by rules under which flags are carried.")


class ActorAgent(ComparedByArrays, AgentBase):
    """Draws its moves, and its army if it has learned to place one, from its policy."""

    plays = ("luzhanqi",)

    def __init__(self, twice: bool = False, arrays: Arrays | None = None) -> None:
        arrays = arrays or {}
        self.twice = bool(twice)
        self.actor = Mlp.from_arrays(arrays, "actor")
        self.placer = Mlp.from_arrays(arrays, "placer") if any(name.startswith("placer/") for name in arrays) else None
        self.recurrent_units = len(self.actor.layers[0]) if self.actor.shape[0] > INPUTS else 0
        wanted = INPUTS + self.recurrent_units, PAIRS
        if self.actor.shape != wanted or (self.placer and self.placer.shape != (PLACES, PLACES)):
            raise BadAgent(
                f"an actor of luzhanqi has {INPUTS} inputs (with a memory as many more as hidden units) and {PAIRS} "
                f"outputs, one that places {PLACES} of both."
            )

    def check(self, rules: Rules) -> None:
        if self.recurrent_units:
            check_follows(rules)

    def hidden_state(self, observation: Observation) -> Vector:
        """The hidden layer at its last decision, from all of them since the beginning; zeros at the first."""
        context, player = np.zeros(self.recurrent_units), observation.player
        if self.recurrent_units and observation.record:
            for board in earlier_boards(observation.record, player):
                x = inputs(board, observation.own_types, player)
                context = self.actor.forward(np.concatenate([x, context]))[1]
        return context

    def policy(self, observation: Observation, legal: Sequence[str]) -> Vector:
        """The probability of each legal move."""
        x, pairs = of_observation(observation, legal)
        x = np.concatenate([x, self.hidden_state(observation)])
        return restricted(self.actor.forward(x)[-1], pairs, self.twice)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return next_piece(observation, legal, rng, book(observation.rules))
        return legal[draw(self.policy(observation, legal), rng.random())]

    def place(self, placed: Sequence[int], rules: Rules) -> tuple[NDArray[np.int64], Vector]:
        """The legal (point, piece) pairs of an army half set up, and their probabilities."""
        assert self.placer is not None
        legal = legal_places(placed, rules)
        return legal, restricted(self.placer.forward(half_board(placed))[-1], legal, self.twice)

    def arrange(self, rules: Rules, rng: Chance) -> str:
        if not self.placer:
            return book_layout(rules, rng)
        placed = [NONE] * SLOTS
        for _ in range(sum(rules.counts)):
            legal, probabilities = self.place(placed, rules)
            slot, kind = divmod(int(legal[draw(probabilities, rng.random())]), TYPES)
            placed[slot] = kind
        return letters_of_layout(placed)

    def describe(self) -> tuple[str, JsonObject]:
        return "luzhanqi-actor", {"twice": self.twice}

    def arrays(self) -> Arrays:
        return self.actor.arrays("actor") | (self.placer.arrays("placer") if self.placer else {})
