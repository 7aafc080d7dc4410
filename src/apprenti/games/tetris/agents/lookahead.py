"""One more piece ahead: with the next piece known, or at the mean over the pieces it may be.

A move is worth its own criteria plus the best that can be had next: the next move's criteria and the board after it. A
next piece is *fatal* when every placement of it ends the game: the move with less probability of that is better,
whatever the rest; among equals the mean over the other pieces decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance
from apprenti.games.tetris.agents.base import TetrisAgent, placements_of
from apprenti.games.tetris.agents.linear import folded_for, move_value, value_of
from apprenti.games.tetris.criteria import Move
from apprenti.games.tetris.dealer import NEVER, best_answer, ends_game
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import TermWeights, Weights, check, frozen

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer


def odds(observation: Observation) -> Iterator[tuple[str, float]]:
    """The pieces that may come next and how likely they are, up to a factor, for who does not look at the preview.

    The worst dealer chooses when the piece has been placed; who looks ahead takes its pieces for equally likely.
    """
    rules = observation.rules
    letters, randomiser, shown = rules.pieces.letters, rules.randomiser, observation.next_piece or ""
    if randomiser.kind == "sequence":
        yield randomiser.sequence[(observation.dealt - len(shown)) % len(randomiser.sequence)], 1.0
    elif randomiser.kind == "bag":
        yield from ((letter, 1.0) for letter in observation.remaining + shown or letters)
    elif randomiser.kind == "weighted":
        thresholds = (0.0, *randomiser.thresholds(rules.pieces))
        yield from (
            (letter, high - low)
            for letter, low, high in zip(letters, thresholds, thresholds[1:], strict=False)
            if high > low
        )
    else:
        yield from ((letter, 1.0) for letter in letters)


@dataclass(frozen=True)
class LookaheadAgent(TetrisAgent):
    """A linear player that looks one piece further."""

    weights: Weights
    look: str = "expectimax"
    """`next_piece`: the next piece is known; `expectimax`: the mean over the pieces that may come."""

    def __post_init__(self) -> None:
        check(self.weights)
        if self.look not in ("next_piece", "expectimax"):
            raise UnknownName("way to look ahead", self.look, ("next_piece", "expectimax"))

    def check(self, rules: Rules) -> None:
        if self.look == "next_piece" and not rules.preview:
            raise BadAgent("this player must know the next piece, and these rules hide it: add --preview.")
        check(self.weights, rules.width)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        found = self._prospects(observation, legal)
        return max(found, key=lambda placement: (-found[placement][0], found[placement][1])) if found else legal[0]

    def values(self, observation: Observation) -> dict[Placement, float]:
        legal = placements_of(observation)
        found = self._prospects(observation, legal)
        worths = [value for _, value in found.values()]
        risks = sorted({fatal for fatal, _ in found.values()})
        step = min((b - a for a, b in pairwise(risks)), default=1.0)
        penalty = (1 + max(worths, default=0.0) - min(worths, default=0.0)) / step
        worth = {placement: value - penalty * fatal for placement, (fatal, value) in found.items()}
        return {placement: worth.get(placement, NEVER) for placement in legal}

    def _prospects(self, observation: Observation, legal: Sequence[Placement]) -> dict[Placement, tuple[float, float]]:
        """For each placement that does not end the game, how likely a fatal next piece is, and its value otherwise."""
        if self.look == "next_piece" and observation.next_piece is None:
            raise BadAgent("this player must know the next piece, and these rules hide it: use rules with a preview.")
        rules = observation.rules
        folded = folded_for(frozen(self.weights), rules.width, rules.height)
        coming = [(observation.next_piece, 1.0)] if self.look == "next_piece" else list(odds(observation))
        found = {}
        for move in (Move(observation.board, placement) for placement in legal):
            if not ends_game(rules, move):
                fatal, value = self._prospect(rules, folded, move, coming)
                found[move.placement] = fatal, value + move_value(folded, move)
        return found

    def _prospect(
        self, rules: Rules, folded: TermWeights, move: Move, coming: Sequence[tuple[str | None, float]]
    ) -> tuple[float, float]:
        """How likely a fatal piece is, and the mean value of the best answer to the others."""
        fatal = sum_ = mass = 0.0
        for letter, share in coming:
            value = best_answer(rules, move.after, letter or "", partial(value_of, rules, folded))
            if value == NEVER:
                fatal += share
            else:
                sum_ += share * value
                mass += share
        return fatal, sum_ / mass if mass else 0.0

    def describe(self) -> tuple[str, JsonObject]:
        return "lookahead", {"weights": dict(self.weights), "look": self.look}

    def compiled(self, rules: Rules) -> "CompiledPlayer":
        from apprenti.games.tetris.fast.players import CompiledPlayer

        return CompiledPlayer.of(self.weights, look=self.look)
