"""The pieces: twelve types by letter, name, rank and number. A type is a number 0 … 11, `a` … `l`."""

LETTERS = "abcdefghijkl"
NAMES = (
    "field marshal",
    "general",
    "major general",
    "brigadier",
    "colonel",
    "major",
    "captain",
    "lieutenant",
    "engineer",
    "landmine",
    "bomb",
    "flag",
)
CHINESE = ("司令", "军长", "师长", "旅长", "团长", "营长", "连长", "排长", "工兵", "地雷", "炸弹", "军旗")
COUNTS = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1)
"""How many of each type an army has."""
RANKS = (9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0)
"""A marshal is a 9, an engineer a 1; mines, bombs and flags have no rank."""

MARSHAL, ENGINEER, MINE, BOMB, FLAG = 0, 8, 9, 10, 11
TYPES = len(LETTERS)
NONE = TYPES
"""In place of a type where there is no piece: reduced armies leave slots empty, and a layout has a `.` there."""
EMPTY = "."
TYPE_OF = {letter: number for number, letter in enumerate(LETTERS)} | {EMPTY: NONE}

EVERY = (1 << TYPES) - 1
"""A set of types is a whole number with a bit for each; this is all of them."""


def type_set(letters: str) -> int:
    """The set of types with these letters, as bits."""
    return sum(1 << TYPE_OF[letter] for letter in letters)


MOBILE = EVERY & ~type_set("jl")
"""Everything but mines and the flag."""


def letters_of(types: int) -> str:
    """The letters of a set of types."""
    return "".join(letter for number, letter in enumerate(LETTERS) if types >> number & 1)
