"""Which Tetris is played. A score means nothing without its rules, so they are one value that can be written down."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from apprenti.core.data import JsonMapping, JsonObject
from apprenti.core.errors import BadRules, UnknownName
from apprenti.games.tetris.pieces import RAPID, PieceSet, piece_set

_PLAIN: dict[str, type] = {
    **dict.fromkeys(("name", "entry", "points"), str),
    **dict.fromkeys(("hidden", "max_pieces"), int),
    **dict.fromkeys(("gravity_first", "overflow_clears", "preview"), bool),
}
POINTS = ("lines", "classic", "square")
ENTRIES = ("above", "top")
MOST_PIECES = 2**62
"""The longest game that can be counted in 64 bits."""


@dataclass(frozen=True)
class Randomiser:
    """How pieces are dealt: `uniform`, `bag`, `weighted` (a share for each piece), `sequence` (repeated) or `worst`."""

    kind: str = "uniform"
    shares: tuple[tuple[str, float], ...] = ()
    sequence: str = ""

    @classmethod
    def parse(cls, text: str) -> "Randomiser":
        """Read `uniform`, `bag`, `weighted:S=2,Z=2,I=1`, `sequence:IOTSZJL` or `worst`."""
        kind, _, detail = text.partition(":")
        if kind in ("uniform", "bag", "worst") and not detail:
            return cls(kind)
        if kind == "sequence" and detail.isalpha():
            return cls(kind, sequence=detail.upper())
        if kind == "weighted" and re.fullmatch(r"\w=\d+(\.\d+)?(,\w=\d+(\.\d+)?)*", detail):
            pairs = [item.split("=") for item in detail.split(",")]
            return cls(kind, shares=tuple((letter.upper(), float(share)) for letter, share in pairs))
        known = "uniform, bag, worst, weighted:S=2,Z=2,I=1 or sequence:IOTSZJL"
        raise BadRules(f"pieces are dealt by {known}, not by {text!r}.")

    def __str__(self) -> str:
        if self.kind == "sequence":
            return f"sequence:{self.sequence}"
        if self.kind == "weighted":
            return "weighted:" + ",".join(f"{letter}={share:g}" for letter, share in self.shares)
        return self.kind

    def check(self, pieces: PieceSet) -> None:
        for letter in self.sequence or "".join(letter for letter, _ in self.shares):
            pieces[letter]
        if self.kind == "weighted" and not sum(share for _, share in self.shares) > 0:
            raise BadRules("weighted pieces need at least one share above 0.")

    def thresholds(self, pieces: PieceSet) -> tuple[float, ...]:
        """For each piece of the set the probability that this one or one before it is dealt."""
        shares = dict(self.shares)
        whole = sum(shares.values())
        sums, sum_ = [], 0.0
        for letter in pieces.letters:
            sum_ += shares.get(letter, 0.0)
            sums.append(sum_ / whole)
        return tuple(sums)


@dataclass(frozen=True)
class Rules:
    """Everything that two games must share for their scores to be comparable."""

    name: str = "simplified"
    width: int = 10
    height: int = 20
    hidden: int = 0
    """Rows above the board in which a piece may appear and even rest, as long as the pile ends below them."""
    pieces: PieceSet = RAPID
    randomiser: Randomiser = Randomiser()
    entry: str = "above"
    """`above`: a piece drops straight from above the pile. `top`: it appears in the top row and moves there freely."""
    gravity_first: bool = False
    """A piece that appears in the top row comes down one row before the player is first asked."""
    overflow_clears: bool = False
    """Lines are removed first, and the game is over only if the pile is still too high."""
    points: str = "lines"
    preview: bool = False
    """The next piece is known."""
    max_pieces: int = 0
    """Stop after this many pieces; 0 for never."""

    def __post_init__(self) -> None:
        if not (2 <= self.width <= 32 and 2 <= self.height <= 64):
            raise BadRules(f"a board is 2 to 32 columns wide and 2 to 64 rows high, not {self.width}x{self.height}.")
        if not 0 <= self.hidden <= 8:
            raise BadRules(f"a board has 0 to 8 hidden rows, not {self.hidden}.")
        if self.points not in POINTS:
            raise UnknownName("way to count points", self.points, POINTS)
        if self.entry not in ENTRIES:
            raise UnknownName("way for a piece to enter", self.entry, ENTRIES)
        if self.gravity_first and self.entry != "top":
            raise BadRules("gravity_first is for pieces that appear at the top: leave it out, or choose entry top.")
        if not 0 <= self.max_pieces <= MOST_PIECES:
            raise BadRules(f"the number of pieces is from 0 (no limit) to {MOST_PIECES}, not {self.max_pieces}.")
        self.randomiser.check(self.pieces)
        for piece in self.pieces.pieces:
            if piece.rotations[0].width > self.width:
                raise BadRules(f"piece {piece.letter} does not fit on a board {self.width} columns wide.")
            needed = piece.rotations[0].height + self.gravity_first
            if self.entry == "top" and needed > self.height + self.hidden:
                raise BadRules(f"piece {piece.letter} does not fit on a board {self.height} rows high.")

    @property
    def rows(self) -> int:
        """Rows in which a piece may come to rest; one that reaches higher ends the game."""
        reach = max(rotation.height for piece in self.pieces.pieces for rotation in piece.rotations)
        return self.height + (reach if self.overflow_clears else self.hidden)

    @classmethod
    def preset(cls, name: str = "simplified", size: str = "", **changes: Any) -> "Rules":
        """Rules by name, with a size like `10x20` and any field changed."""
        if name not in PRESETS:
            raise UnknownName("set of rules", name, PRESETS)
        return PRESETS[name].changed(size, **changes)

    def changed(self, size: str = "", **changes: Any) -> "Rules":
        """The same rules with another size and any field changed; randomiser and pieces may be given as text."""
        if size:
            changes["width"], changes["height"] = parse_size(size)
        if isinstance(changes.get("randomiser"), str):
            changes["randomiser"] = Randomiser.parse(changes["randomiser"])
        if isinstance(changes.get("pieces"), str):
            changes["pieces"] = piece_set(changes["pieces"])
        return replace(self, **changes)

    @cached_property
    def description(self) -> str:
        """All that must be printed beside a score, in one line."""
        parts = [
            f"{self.name} rules",
            f"{self.width}x{self.height}" + (f" + {self.hidden} hidden rows" if self.hidden else ""),
            f"{self.pieces.name} pieces, dealt {self.randomiser}",
            self._entry_in_words,
            f"overflow clears {'on' if self.overflow_clears else 'off'}",
            f"points by {self.points}",
            "next piece known" if self.preview else "next piece unknown",
        ]
        return ", ".join(parts + ([f"at most {self.max_pieces} pieces"] if self.max_pieces else []))

    @property
    def _entry_in_words(self) -> str:
        if self.entry == "above":
            return "pieces drop from above the pile"
        return f"pieces appear at the top and move {'one row below' if self.gravity_first else 'there'}"

    def to_json(self) -> JsonObject:
        """The rules as plain data; a set of pieces that has no name of its own is written out."""
        known = self.pieces.name in ("rapid", "classic", "domino")
        return {
            "name": self.name,
            "size": f"{self.width}x{self.height}",
            "hidden": self.hidden,
            "pieces": self.pieces.name if known else {"name": self.pieces.name, "shapes": self.pieces.text()},
            "randomiser": str(self.randomiser),
            "entry": self.entry,
            "gravity_first": self.gravity_first,
            "overflow_clears": self.overflow_clears,
            "points": self.points,
            "preview": self.preview,
            "max_pieces": self.max_pieces,
        }

    @classmethod
    def from_json(cls, data: JsonMapping) -> "Rules":
        """The rules that `to_json` wrote; in older ones no piece came down before the player was asked."""
        data = {"gravity_first": False, **data}
        try:
            width, height = parse_size(data.pop("size"))
            pieces = data.pop("pieces")
            chosen = piece_set(pieces) if isinstance(pieces, str) else PieceSet.parse(pieces["shapes"], pieces["name"])
            randomiser = Randomiser.parse(data.pop("randomiser"))
            for field, kind in _PLAIN.items():
                if type(data[field]) is not kind:
                    raise TypeError(f"{field} must be of type {kind.__name__}")
            return cls(width=width, height=height, pieces=chosen, randomiser=randomiser, **data)
        except (KeyError, TypeError, AttributeError) as error:
            raise BadRules(f"these are not rules of Tetris as this version writes them ({error}).") from None


def parse_size(text: str) -> tuple[int, int]:
    """Read `10x20`: columns, then rows."""
    match = re.fullmatch(r"(\d{1,3})[x×](\d{1,3})", text.strip())
    if not match:
        raise BadRules(f"a size is columns x rows, like 10x20, not {text!r}.")
    return int(match[1]), int(match[2])


PRESETS = {
    rules.name: rules
    for rules in (
        Rules(),
        Rules(name="overflow", overflow_clears=True),
        Rules(name="strict", entry="top", gravity_first=True),
        Rules(
            name="tetrisbot",
            height=22,
            hidden=2,
            entry="top",
            gravity_first=True,
            randomiser=Randomiser("bag"),
            points="classic",
            preview=True,
        ),
    )
}
