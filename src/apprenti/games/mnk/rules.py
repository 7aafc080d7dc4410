"""Which m,n,k-game is played: a board of rows and columns, and how many in a row win."""

import re
from dataclasses import dataclass

from apprenti.core.data import JsonData
from apprenti.core.errors import BadRules

LONGEST = 19
NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """X and O take turns to mark a free cell; K of one's own in a row, in any of eight directions, win."""

    rows: int = 3
    columns: int = 3
    k: int = 3

    def __post_init__(self) -> None:
        if not all(type(side) is int and 1 <= side <= LONGEST for side in (self.rows, self.columns)):
            raise BadRules(f"a board has 1 to {LONGEST} rows and columns, not {self.rows}x{self.columns}.")
        if type(self.k) is not int or not 1 <= self.k <= max(self.rows, self.columns):
            raise BadRules(f"{self.k} in a row do not fit on {self.rows}x{self.columns}: choose 1 to the longer side.")

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read a size like `5x5x4` (rows, columns, in a row) or a name: tictactoe, gomoku."""
        if text in PRESETS:
            return PRESETS[text]
        match = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})[x×]([0-9]{1,3})", text.strip())
        if not match:
            raise BadRules(f"a size is rows x columns x how many in a row, like 5x5x4, not {text!r}.")
        return cls(*map(int, match.groups()))

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.rows * self.columns

    @property
    def solved_soon(self) -> bool:
        """Whether every position of the board is solved within a second, so that a person may wait for an answer."""
        return self.cells <= 20

    def name_of(self, cell: int) -> str:
        """A cell by its column and row: `a1` is the top left corner."""
        return f"{chr(ord('a') + cell % self.columns)}{cell // self.columns + 1}"

    @property
    def size(self) -> str:
        """The rules as text, like `5x5x4`."""
        return f"{self.rows}x{self.columns}x{self.k}"

    @property
    def name(self) -> str:
        """What people call this game."""
        return next((name for name, rules in PRESETS.items() if rules == self), "mnk")

    @property
    def description(self) -> str:
        """The rules on one line."""
        return f"{self.name} {self.size}: {NUMBERS[self.k]} in a row on {self.rows} by {self.columns}"

    def to_json(self) -> JsonData:
        """The rules as plain data."""
        return {"size": self.size}

    @classmethod
    def from_json(cls, data: JsonData) -> "Rules":
        """The rules that `to_json` wrote; a name beside the size changes nothing."""
        if not isinstance(data.get("size"), str) or not set(data) <= {"size", "name"}:
            raise BadRules(f"rules of an m,n,k-game are a size like 5x5x4, not {data!r}.")
        return cls.parse(data["size"])


PRESETS = {"tictactoe": Rules(3, 3, 3), "gomoku": Rules(15, 15, 5)}
