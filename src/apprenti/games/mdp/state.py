"""A place in a small world as data, with its one-line notation: place, score, moves, and the move under way."""

import math
from dataclasses import dataclass, replace

from apprenti.core.errors import BadNotation, IllegalMove
from apprenti.core.game import StateBase
from apprenti.core.protocols import CHANCE, OVER, CommonReason, Outcome, Reason
from apprenti.games.mdp import grid, tables
from apprenti.games.mdp.tables import Law

Rules = grid.Rules | tables.Rules


class End(Reason):
    """How a game ends."""

    ARRIVED = "arrived", "nothing can be done here any more"


@dataclass(frozen=True)
class State(StateBase[str, "State"]):
    """Where one is, what has been paid so far, and, while chance decides where a move leads, that move."""

    rules: Rules
    place: str
    score: float = 0.0
    moves: int = 0
    moving: str = ""

    @classmethod
    def start(cls, rules: Rules) -> "State":
        """At the start."""
        return cls(rules, rules.model.start)

    @classmethod
    def parse(cls, rules: Rules, text: str) -> "State":
        """Read `b2 0.5 7 -`: place, score, moves, and the move under way."""
        try:
            place, score, moves, moving = text.split()
            state = cls(rules, place, float(score), int(moves), "" if moving == "-" else moving)
        except ValueError:
            raise BadNotation(f"a position is a place, a score, a number of moves and -, not {text!r:.60}.") from None
        known = state.moving == "" or len(state._law) > 1
        if place not in rules.model.places or not known or not math.isfinite(state.score) or state.moves < 0:
            raise BadNotation(f"this world has no position {text!r:.60}.")
        return state

    @property
    def notation(self) -> str:
        """The position on one line."""
        return f"{self.place} {self.score!r} {self.moves} {self.moving or '-'}"

    @property
    def _law(self) -> Law:
        """What comes of the move under way."""
        return self.rules.model.moves.get(self.place, {}).get(self.moving, ())

    @property
    def turn(self) -> int:
        return OVER if self.outcome else CHANCE if self.moving else 0

    @property
    def outcome(self) -> Outcome | None:
        """Over where there are no moves, and cut after many."""
        if self.moving:
            return None
        if self.place not in self.rules.model.moves:
            return Outcome(End.ARRIVED, scores=(self.score,))
        cut = self.moves >= self.rules.max_moves
        return Outcome(CommonReason.STOPPED, truncated=True, scores=(self.score,)) if cut else None

    def legal_moves(self) -> tuple[str, ...]:
        """What can be done here."""
        return () if self.moving or self.outcome else tuple(self.rules.model.moves[self.place])

    def chances(self) -> tuple[tuple[str, float], ...]:
        return tuple((place, share) for place, share, _ in self._law)

    def play(self, move: str) -> "State":
        if self.moving:
            rewards = [reward for place, _, reward in self._law if place == move]
            if not rewards:
                raise IllegalMove(f"{self.moving} does not lead from {self.place} to {move!r:.20}.")
            return State(self.rules, move, self.score + rewards[0], self.moves)
        if move not in self.legal_moves():
            raise IllegalMove(f"one can move {' '.join(self.legal_moves()) or 'nowhere'} here, not {move!r:.20}.")
        begun = replace(self, moves=self.moves + 1, moving=move)
        return begun if len(begun._law) > 1 else begun.play(begun._law[0][0])

    def observation(self, player: int) -> "State":
        return replace(self, score=0.0, moves=0)
