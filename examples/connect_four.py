"""Connect Four: a whole game for two in a file. Installed with these lines of a pyproject.toml, every command knows it:

[project.entry-points."apprenti.plugins"]
connect-four = "connect_four:PLUGIN"
"""

from dataclasses import dataclass
from functools import cached_property

import apprenti
from apprenti import BadNotation, BadRules, Entry, Game, IllegalMove, Outcome, Plugin, Reason, RulesBase, StateBase


class End(Reason):
    """How a game ends."""

    ROW = "row", "enough in a row"
    FULL = "full", "the board is full"


@dataclass(frozen=True)
class Rules(RulesBase):
    """The board, and how many in a row win."""

    rows: int = 6
    """How high the board is."""
    columns: int = 7
    """How wide it is."""
    connect: int = 4
    """How many in a row win, in any direction."""

    def __post_init__(self) -> None:
        sizes = (self.rows, self.columns, self.connect)
        if not all(type(size) is int and 1 <= size <= 20 for size in sizes):
            raise BadRules(f"rows, columns and connect are numbers from 1 to 20, not {sizes}.")


@dataclass(frozen=True)
class State(StateBase[int, "State"]):
    """A position: what lies in each column, from the bottom; X is red and begins."""

    rules: Rules
    columns: tuple[str, ...]

    @classmethod
    def start(cls, rules: Rules) -> "State":
        """The empty board."""
        return cls(rules, ("",) * rules.columns)

    @classmethod
    def parse(cls, rules: Rules, text: str) -> "State":
        """Read rows of X, O and . with / between them, the top one first."""
        columns = zip(*reversed(text.split("/")), strict=False)
        state = cls(rules, tuple("".join(column).rstrip(".") for column in columns))
        discs = "".join(state.columns)
        fits = state.notation == text and len(state.columns) == rules.columns and set(discs) <= set("XO")
        if not fits or discs.count("X") - discs.count("O") not in (0, 1):
            raise BadNotation(f"a position is {rules.rows} rows of {rules.columns} X, O and ., not {text!r:.60}.")
        return state

    @property
    def notation(self) -> str:
        """The rows, the top one first."""
        rows = zip(*(column.ljust(self.rules.rows, ".") for column in self.columns), strict=True)
        return "/".join("".join(row) for row in reversed(list(rows)))

    @property
    def to_move(self) -> int:
        """Whose turn it is: who begins has made as many moves as the other, or one more."""
        return sum(map(len, self.columns)) % 2

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end, if there is one; only who has just moved can have won."""
        last, height = 1 - self.to_move, self.rules.rows + 1  # a row of zeros above each column keeps lines apart
        cells = "".join(column.ljust(height, ".") for column in self.columns)
        bits = int("".join("1" if cell == "XO"[last] else "0" for cell in cells), 2)
        for step in (1, height - 1, height, height + 1):
            run = bits
            for _ in range(self.rules.connect - 1):
                run &= run >> step
            if run:
                return Outcome.between_two(End.ROW, last)
        return None if self.free else Outcome.between_two(End.FULL)

    @property
    def free(self) -> tuple[int, ...]:
        """The columns with room."""
        return tuple(number for number, column in enumerate(self.columns) if len(column) < self.rules.rows)

    def legal_moves(self) -> tuple[int, ...]:
        """The columns with room, until the end."""
        return () if self.outcome else self.free

    def play(self, move: int) -> "State":
        """Drop a disc into a column."""
        if move not in self.legal_moves():
            raise IllegalMove(f"a disc goes into one of the columns {self.legal_moves()}, not {move!r}.")
        mark = "XO"[self.to_move]
        return State(self.rules, tuple(c + mark if n == move else c for n, c in enumerate(self.columns)))


class ConnectFour(Game[Rules, State, int, State]):
    """The game."""

    name, sides = "connect-four", ("red", "yellow")
    RulesType, StateType, Reasons = Rules, State, End


GAME = ConnectFour()
PLUGIN = Plugin(games={"connect-four": Entry("connect_four:GAME", "four discs in a row")})

if __name__ == "__main__":
    found = apprenti.match("mcts:50", "random", game=GAME, games=10, workers=1)
    print(f"a tree search got {found.share:.0%} of the points in {found.games} games against random moves")
