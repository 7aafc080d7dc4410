"""Which Luzhanqi is played, as one value that can be written down. The default is the championship's (CCGC 1.0)."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from apprenti.core.data import JsonMapping, JsonObject
from apprenti.core.errors import BadRules, UnknownName
from apprenti.games.luzhanqi.board import ACTIONS, ALL_ACTIONS, BACK_SLOTS, BARE, BLOCKED, FRONT_SLOTS, SLOTS, START
from apprenti.games.luzhanqi.pieces import BOMB, COUNTS, FLAG, LETTERS, MINE

STANDARD_ARMY = "".join(map(str, COUNTS))
_CHOICES = {
    "mine": ("stays", "dies"),
    "headquarters": ("lock", "free"),
    "flag": ("wins", "carried", "mines"),
    "board": tuple(BLOCKED),
}
LONGEST = 2**31
"""Moves that no game reaches."""


@dataclass(frozen=True)
class Rules:
    """Everything two games must share to be the same game."""

    name: str = "ccgc"
    mine: str = "stays"
    """What a mine does when anyone but an engineer or a bomb runs into it: it `stays`, or `dies` too."""
    bomb_takes_flag: bool = True
    """A bomb takes the flag with it; if not, it is lost and the flag stays."""
    headquarters: str = "lock"
    """Pieces in headquarters never move (`lock`), or are `free` to go."""
    reveal_flag: bool = True
    """When a marshal leaves the board, both players learn where its owner's flag is."""
    show_fights: bool = False
    """After a fight both pieces are shown."""
    flag: str = "wins"
    """Taking the flag `wins`; or it has to be `carried` to an own headquarters; or it can be taken only when all
    `mines` of its owner are gone, and is like a mine until then."""
    bombs_turn: bool = False
    """Bombs turn on the railway as engineers do."""
    quiet_limit: int = 31
    """This move in a row without an attack ends the game; 0 for never."""
    quiet_draw: bool = False
    """… as a draw; if not, who made that move loses."""
    max_moves: int = 0
    """A draw after this many moves; 0 for never."""
    repetition: int = 0
    """A draw when every piece stands where it stood this many times, with the same player to move; 0 for never."""
    army: str = STANDARD_ARMY
    """How many of each type a to l, one digit each. With fewer than 25 pieces some points start empty."""
    board: str = "full"
    """The `full` board of 60 points; `mini`: 42 of them, 19 to set up on; `micro`: 28 of them, 4 to set up on."""

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UnknownName(f"rule for {name}", str(getattr(self, name)), known)
        for name in ("quiet_limit", "max_moves", "repetition"):
            if not 0 <= getattr(self, name) <= LONGEST:
                raise BadRules(f"{name} is from 0 (none) to {LONGEST}, not {getattr(self, name)}.")
        if self.repetition == 1:
            raise BadRules("every position occurs once: repetition is 0 (none) or at least 2.")
        self._check_army()

    def _check_army(self) -> None:
        if len(self.army) != len(LETTERS) or not (self.army.isascii() and self.army.isdigit()):
            raise BadRules(f"an army is twelve digits, how many of each type a to l, not {self.army!r}.")
        counts = self.counts
        if counts[FLAG] != 1:
            raise BadRules(f"an army has one flag, not {counts[FLAG]}.")
        mines, bombs = counts[MINE], counts[BOMB]
        slots = set(self.slots)
        room, back, behind = len(slots), len(slots & BACK_SLOTS), len(slots - FRONT_SLOTS)
        if sum(counts) > room or mines + 1 > back or bombs + mines + 1 > behind:
            raise BadRules(
                f"no room for the army {self.army} on the {self.board} board: "
                f"at most {room} pieces, {back - 1} mines, {behind - 1} mines and bombs."
            )

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many of each type an army has."""
        return tuple(map(int, self.army))

    @property
    def blocked(self) -> frozenset[int]:
        """The points that are not part of the board."""
        return BLOCKED[self.board]

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The slots that are part of the board, in order: all 25 on the full one."""
        nothing = self.blocked | BARE.get(self.board, frozenset())
        return tuple(slot for slot in range(SLOTS) if START[0][slot] not in nothing)

    @property
    def actions(self) -> int:
        """How many (from, to) pairs there are to choose from."""
        return ALL_ACTIONS if self.headquarters == "free" or self.flag == "carried" else ACTIONS

    @classmethod
    def preset(cls, name: str = "", **changes: Any) -> "Rules":
        """Rules by name, with any field changed."""
        name = name or "ccgc"
        if name not in PRESETS:
            raise UnknownName("set of rules", name, PRESETS)
        return replace(PRESETS[name], **changes)

    @cached_property
    def description(self) -> str:
        """The rules on one line: their name, and what differs from the championship's."""
        quiet = "draws" if self.quiet_draw else "loses"
        parts = [
            f"{self.name} rules",
            {"stays": "mines stay", "dies": "mines die too"}[self.mine],
            {
                "wins": "the flag wins at once",
                "carried": "the flag must be carried home",
                "mines": "the flag falls only after all mines",
            }[self.flag],
            f"quiet move {self.quiet_limit} {quiet}" if self.quiet_limit else "no quiet limit",
        ]
        extra = {
            "a bomb may not take the flag": not self.bomb_takes_flag,
            "headquarters do not lock": self.headquarters == "free",
            "a marshal's death reveals nothing": not self.reveal_flag,
            "fighters are shown": self.show_fights,
            "bombs turn on rails": self.bombs_turn,
            f"draw after {self.max_moves} moves": self.max_moves > 0,
            f"draw by {self.repetition}-fold repetition": self.repetition > 0,
            f"{self.board} board": self.board != "full",
            f"army {self.army}": self.army != STANDARD_ARMY,
        }
        return ", ".join(parts + [text for text, holds in extra.items() if holds])

    def to_json(self) -> JsonObject:
        """The rules as plain data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_json(cls, data: JsonMapping) -> "Rules":
        """The rules that `to_json` wrote; whatever is missing is as in the preset of that name, or the default."""
        kinds = {field.name: type(field.default) for field in fields(cls)}
        for name, value in data.items():
            if name not in kinds or type(value) is not kinds[name]:
                raise BadRules(f"these are not rules of luzhanqi as this version writes them ({name}: {value!r}).")
        return replace(PRESETS.get(data.get("name", ""), PRESETS["ccgc"]), **data)


PRESETS = {
    rules.name: rules
    for rules in (
        Rules(),
        Rules(name="western", mine="dies"),
        Rules(name="casual", quiet_limit=70, quiet_draw=True),
        Rules(name="training", quiet_limit=40, quiet_draw=True, max_moves=600),
        Rules(name="mini", board="mini", army="100010102111", quiet_limit=40, quiet_draw=True, max_moves=300),
        Rules(name="micro", board="micro", army="000000200101", quiet_limit=3, max_moves=4),
    )
}
