"""Three small games that nobody knows: they only fulfil the contract, and every command must take them."""

from dataclasses import dataclass, replace

from apprenti.core.game import Game, OneRule, RulesBase, StateBase
from apprenti.core.protocols import CHANCE, OVER, Outcome, Reason

ONE = OneRule()


class End(Reason):
    """How these games end."""

    DONE = "done", "the goal was reached"


# Race: two take 1 to 3 from a heap; who takes the last one wins. No chance, no secrets, rules with a field.


@dataclass(frozen=True)
class RaceRules(RulesBase):
    """The heap."""

    heap: int = 21
    """How many there are."""


@dataclass(frozen=True)
class RaceState(StateBase):
    """What is left, and whose turn it is."""

    left: int
    to_move: int = 0
    rules: RaceRules = RaceRules()

    @classmethod
    def start(cls, rules):
        return cls(rules.heap, 0, rules)

    @classmethod
    def parse(cls, rules, text):
        left, side = text.split()
        return cls(int(left), RACE.sides.index(side), rules)

    @property
    def notation(self):
        return f"{self.left} {RACE.sides[self.to_move]}"

    @property
    def outcome(self):
        return None if self.left else Outcome.between_two(End.DONE, 1 - self.to_move)

    def legal_moves(self):
        return tuple(range(1, min(3, self.left) + 1))

    def play(self, move):
        self.refuse_if_over()
        return replace(self, left=self.left - move, to_move=1 - self.to_move)


class Race(Game):
    """The game."""

    name = "race"
    RulesType, StateType, Reasons = RaceRules, RaceState, End


# Pig: two throw a die until one has 10; a 1 loses what was gained in this turn. Chance between two players.


@dataclass(frozen=True)
class PigState(StateBase):
    """The points of both, those of this turn, whose turn it is, and whether the die is in the air."""

    points: tuple = (0, 0)
    gained: int = 0
    to_move: int = 0
    thrown: bool = False
    rules: OneRule = ONE

    @classmethod
    def start(cls, rules):
        return cls()

    @classmethod
    def parse(cls, rules, text):
        first, second, gained, to_move, thrown = map(int, text.split())
        return cls((first, second), gained, to_move, bool(thrown))

    @property
    def notation(self):
        return " ".join(map(str, (*self.points, self.gained, self.to_move, int(self.thrown))))

    @property
    def turn(self):
        return OVER if self.outcome else CHANCE if self.thrown else self.to_move

    @property
    def outcome(self):
        winner = next((side for side, points in enumerate(self.points) if points >= 10), None)
        return None if winner is None else Outcome.between_two(End.DONE, winner)

    def legal_moves(self):
        return () if self.turn < 0 else ("throw", "hold") if self.gained else ("throw",)

    def chances(self):
        return tuple((eyes, 1 / 6) for eyes in range(1, 7)) if self.thrown else ()

    def play(self, move):
        self.refuse_if_over()
        if move == "throw":
            return replace(self, thrown=True)
        if move == "hold" or move == 1:
            points = list(self.points)
            points[self.to_move] += self.gained if move == "hold" else 0
            return PigState(tuple(points), 0, 1 - self.to_move)
        return replace(self, gained=self.gained + move, thrown=False)


class Pig(Game):
    """The game."""

    name = "pig"
    sides = ("left", "right")
    StateType, Reasons = PigState, End


# Sum: one alone adds 1 or 2 until there are 5; the score is how many steps it took.


@dataclass(frozen=True)
class SumState(StateBase):
    """The sum and the steps so far."""

    total: int = 0
    score: int = 0
    to_move: int = 0
    rules: OneRule = ONE

    @classmethod
    def start(cls, rules):
        return cls()

    @classmethod
    def parse(cls, rules, text):
        return cls(*map(int, text.split()))

    @property
    def notation(self):
        return f"{self.total} {self.score}"

    @property
    def outcome(self):
        return Outcome(End.DONE, scores=(float(self.score),)) if self.total >= 5 else None

    def legal_moves(self):
        return () if self.outcome else (1, 2)

    def play(self, move):
        self.refuse_if_over()
        return SumState(self.total + move, self.score + 1)


class Sum(Game):
    """The game."""

    name = "sum"
    players = 1
    sides = ("adder",)
    RulesType, StateType, Reasons = OneRule, SumState, End


@dataclass(frozen=True)
class OddRules(RulesBase):
    """An option that every command has already."""

    seed: int = 1


class Odd(Race):
    """A game that cannot be asked for on the command line."""

    name = "odd"
    RulesType = OddRules


RACE, PIG, SUM, ODD = Race(), Pig(), Sum(), Odd()
