"""A game for three: they take 1 to 3 in turn from a heap, and those who took most share the point."""

from dataclasses import dataclass

from apprenti import BadNotation, BadRules, Game, IllegalMove, Outcome, Reason, RulesBase, StateBase


class End(Reason):
    """How it ends."""

    TAKEN = "taken", "everything is taken"


@dataclass(frozen=True)
class Rules(RulesBase):
    """The heap."""

    heap: int = 10
    """How many there are."""

    def __post_init__(self):
        if type(self.heap) is not int or not 1 <= self.heap <= 100:
            raise BadRules(f"a heap is a number from 1 to 100, not {self.heap!r}.")


@dataclass(frozen=True)
class State(StateBase):
    """What each has taken, and whose turn it is."""

    rules: Rules
    taken: tuple = (0, 0, 0)
    to_move: int = 0

    @classmethod
    def start(cls, rules):
        return cls(rules)

    @classmethod
    def parse(cls, rules, text):
        numbers = [int(word) for word in text.split() if word.isascii() and word.isdecimal() and len(word) < 4]
        if len(numbers) != 4 or numbers[3] > 2 or sum(numbers[:3]) > rules.heap:
            raise BadNotation(
                f"a position is what three have taken and whose turn it is, like 2 1 3 0, not {text!r:.40}."
            )
        return cls(rules, tuple(numbers[:3]), numbers[3])

    @property
    def notation(self):
        return " ".join(map(str, (*self.taken, self.to_move)))

    @property
    def left(self):
        return self.rules.heap - sum(self.taken)

    @property
    def outcome(self):
        if self.left:
            return None
        best = [side for side in range(3) if self.taken[side] == max(self.taken)]
        scores = tuple((side in best) / len(best) for side in range(3))
        return Outcome(End.TAKEN, best[0] if len(best) == 1 else None, scores=scores)

    def legal_moves(self):
        return tuple(range(1, min(3, self.left) + 1))

    def play(self, move):
        if move not in self.legal_moves():
            raise IllegalMove(f"one takes one of {self.legal_moves()}, not {move!r}.")
        taken = tuple(number + move * (side == self.to_move) for side, number in enumerate(self.taken))
        return State(self.rules, taken, (self.to_move + 1) % 3)


class ThreePlayers(Game):
    """The game."""

    name, players, sides = "three-players", 3, ("a", "b", "c")
    RulesType, StateType, Reasons = Rules, State, End


GAME = ThreePlayers()
