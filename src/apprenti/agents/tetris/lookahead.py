"""One more piece ahead: with the next piece known, or at the mean over the pieces it may be.

A move is worth its own criteria plus the best that can be had next: the next move's criteria and the board after it. A
next piece is *fatal* when every placement of it ends the game: the move with less probability of that is better,
whatever the rest; among equals the mean over the other pieces decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apprenti.agents.tetris.base import TetrisAgent
from apprenti.agents.tetris.linear import NEVER, ends_game, folded_for, frozen, move_value, value_of
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.seeds import Chance
from apprenti.games.tetris.board import Board
from apprenti.games.tetris.criteria import Move
from apprenti.games.tetris.placement import Placement, has_room, legal_placements
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Observation
from apprenti.games.tetris.weights import TermWeights, Weights, check

if TYPE_CHECKING:
    from apprenti.games.tetris.fast.players import CompiledPlayer


def odds(observation: Observation) -> Iterator[tuple[str, float]]:
    """The pieces that may come next and how likely they are, up to a factor, for who does not look at the preview."""
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


def best_answer(rules: Rules, folded: TermWeights, board: Board, letter: str) -> float:
    """The value of the best placement of a piece, NEVER if it cannot appear or every one ends the game."""
    if not has_room(rules, board, rules.pieces[letter]):
        return NEVER
    legal = legal_placements(rules, board, letter)
    return max(value_of(rules, folded, Move(board, placement)) for placement in legal)


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
        """Refuse a board whose columns its weights do not fit, and rules that hide what it must know."""
        if self.look == "next_piece" and not rules.preview:
            raise BadAgent("this player must know the next piece, and these rules hide it: add --preview.")
        check(self.weights, rules.width)

    def choose(self, observation: Observation, legal: Sequence[Placement], rng: Chance) -> Placement:
        """The placement with the best prospect."""
        if self.look == "next_piece" and observation.next_piece is None:
            raise BadAgent("this player must know the next piece, and these rules hide it: use rules with a preview.")
        rules = observation.rules
        folded = folded_for(frozen(self.weights), rules.width, rules.height)
        coming = [(observation.next_piece, 1.0)] if self.look == "next_piece" else list(odds(observation))
        chosen, least, most = legal[0], 2.0 * sum(share for _, share in coming), NEVER
        for placement in legal:
            move = Move(observation.board, placement)
            if ends_game(rules, move):
                continue
            fatal, value = self._prospect(rules, folded, move, coming)
            value += move_value(folded, move)
            if fatal < least or (fatal == least and value > most):
                chosen, least, most = placement, fatal, value
        return chosen

    def _prospect(
        self, rules: Rules, folded: TermWeights, move: Move, coming: Sequence[tuple[str | None, float]]
    ) -> tuple[float, float]:
        """How likely a fatal piece is, and the mean value of the best answer to the others."""
        fatal = sum_ = mass = 0.0
        for letter, share in coming:
            value = best_answer(rules, folded, move.after, letter or "")
            if value == NEVER:
                fatal += share
            else:
                sum_ += share * value
                mass += share
        return fatal, sum_ / mass if mass else 0.0

    def compiled(self, rules: Rules) -> "CompiledPlayer":
        """The same player for the kernel."""
        from apprenti.games.tetris.fast.players import CompiledPlayer

        return CompiledPlayer.of(self.weights, look=self.look)
