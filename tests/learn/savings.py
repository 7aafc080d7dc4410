"""A game for one with two states and chance: work for a sure coin, or bet for more, being poor or rich."""

from dataclasses import dataclass, replace

from apprenti.core.game import Game, OneRule, StateBase
from apprenti.core.protocols import CHANCE, OVER, CommonReason, Outcome

ROUNDS = 3
WON = {"poor": (3, "rich"), "rich": (4, "rich")}
LOST = {"poor": (0, "poor"), "rich": (0, "poor")}
LAW = (("heads", 0.4), ("tails", 0.6))


@dataclass(frozen=True)
class State(StateBase):
    """Where one stands."""

    where: str = "poor"
    left: int = ROUNDS
    score: int = 0
    betting: bool = False

    @classmethod
    def start(cls, rules):
        return cls()

    @property
    def outcome(self):
        return None if self.left else Outcome(CommonReason.BY_RULES, scores=(float(self.score),))

    @property
    def turn(self):
        return OVER if not self.left else CHANCE if self.betting else 0

    @property
    def notation(self):
        return f"{self.where} {self.left}"

    def legal_moves(self):
        return () if self.turn else ("work", "bet")

    def chances(self):
        return LAW if self.betting else ()

    def play(self, move):
        if move == "bet":
            return replace(self, betting=True)
        coins, where = (1, self.where) if move == "work" else (WON if move == "heads" else LOST)[self.where]
        return State(where, self.left - 1, self.score + coins)


class Savings(Game):
    """The game."""

    name, players, sides = "savings", 1, ("player",)
    RulesType, StateType = OneRule, State


GAME = Savings()
