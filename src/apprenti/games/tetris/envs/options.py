"""What can be chosen about a Tetris environment, read and checked in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from apprenti.core.errors import BadOption, UnknownName
from apprenti.games.tetris.criteria import CRITERIA, SETS, size_of
from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.pieces import WIDEST, PieceSet
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import points_for

REWARDS = ("lines", "square", "points")
ILLEGAL = ("terminate", "ignore", "raise")
ENGINES = ("compiled", "readable")
BOARD = "board"


_KINDS: dict[str, tuple[type, ...]] = {
    "rules": (str, Rules),
    "size": (str,),
    "randomiser": (str,),
    "pieces": (str, PieceSet),
    "preview": (bool, type(None)),
    "max_pieces": (int, type(None)),
    "observation": (str, list, tuple),
    "criteria": (str, list, tuple),
    "afterstates": (bool,),
}


@dataclass(frozen=True)
class Options:
    """The options of a Tetris environment, all with defaults: `gymnasium.make(name, size="10x10", reward="square")`."""

    rules: str | Rules = ""
    """`simplified`, `overflow`, `strict`, `tetrisbot`, or a `Rules` of your own; empty for the environment's usual."""
    size: str = ""
    """Columns x rows, like `10x20`."""
    randomiser: str = ""
    """`uniform`, `bag`, `weighted:S=2,Z=2,I=1` or `sequence:IOTSZJL`; empty for that of the rules."""
    pieces: str | PieceSet = ""
    """`rapid`, `classic`, `domino`, or a `PieceSet` of your own; empty for those of the rules."""
    preview: bool | None = None
    """Whether the next piece is known; None for what the rules say."""
    max_pieces: int | None = None
    """The game is truncated after so many pieces, 0 for never; None for what the rules say."""
    observation: str | Sequence[str] = BOARD
    """`board` for its cells, or criteria: a named set like `dellacherie`, names with commas, or a list of names."""
    reward: str = "lines"
    """For each piece that comes to rest: its `lines`, their `square`, or the `points` of the rules."""
    piece_bonus: float = 0.0
    """Added to the reward for each piece that comes to rest."""
    illegal: str = "terminate"
    """What an illegal action does: `terminate` the game with a penalty, `ignore` it, or `raise` an error."""
    penalty: float = 1.0
    """Taken from the reward when an illegal action terminates the game."""
    criteria: str | Sequence[str] = ()
    """Criteria of the last move to give in `info`, named as for `observation`."""
    afterstates: bool = False
    """Whether `info` holds the board after every legal placement, by action (placements only)."""
    engine: str = "compiled"
    """`compiled`, or `readable`: the same games from plain Python, slower, on any board."""

    @classmethod
    def read(cls, usual_rules: str, given: Mapping[str, Any]) -> "Options":
        """Options from keywords; BadOption or UnknownName for what there is not."""
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                raise UnknownName("option of a Tetris environment", name, known)
        return cls(**{"rules": usual_rules, **given})

    def __post_init__(self) -> None:
        for name, kinds in _KINDS.items():
            if not isinstance(getattr(self, name), kinds):
                raise BadOption(f"{name} cannot be {getattr(self, name)!r:.40}: see docs/environments.md.")
        for what, chosen, known in (
            ("reward", self.reward, REWARDS),
            ("way to treat an illegal action", self.illegal, ILLEGAL),
            ("engine", self.engine, ENGINES),
        ):
            if chosen not in known:
                raise UnknownName(what, str(chosen), known)
        for name in ("piece_bonus", "penalty"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
                raise BadOption(f"{name} is a finite number, not {value!r}.")
        for name in (*self.seen, *self.told):
            size_of(name, self.game.width)
        reason = why_not(self.game)
        if self.engine == "compiled" and reason:
            raise BadOption(f"{reason}: use engine='readable' for other boards.")

    @cached_property
    def game(self) -> Rules:
        """The rules with all that was chosen."""
        chosen: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("randomiser", "pieces", "preview", "max_pieces")
            if getattr(self, name) not in ("", None)
        }
        if isinstance(self.rules, Rules):
            return self.rules.changed(self.size, **chosen)
        return Rules.preset(self.rules or "simplified", self.size, **chosen)

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """The criteria that are observed; empty when the board is."""
        return () if self.observation == BOARD else _names("observation", self.observation)

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The criteria that are given in `info`."""
        return _names("criteria", self.criteria) if self.criteria else ()

    @cached_property
    def rewards(self) -> tuple[float, ...]:
        """The reward for a piece that removes 0, 1, 2, … lines."""
        counted = self.game.changed(points=self.reward) if self.reward != "points" else self.game
        return tuple(points_for(counted, lines) + float(self.piece_bonus) for lines in range(WIDEST + 1))


def _names(option: str, chosen: str | Sequence[str]) -> tuple[str, ...]:
    """Criteria by the name of a set, as names with commas, or as a list."""
    if isinstance(chosen, str):
        chosen = SETS.get(chosen) or tuple(name.strip() for name in chosen.split(",") if name.strip())
    names = tuple(chosen)
    if not names:
        raise BadOption(f"{option} needs at least one criterion.")
    if len(set(names)) < len(names):
        raise BadOption(f"{option} names a criterion twice.")
    for name in names:
        if name not in CRITERIA:
            choices = [*CRITERIA, *SETS, *([BOARD] if option == "observation" else [])]
            raise UnknownName("criterion or set of criteria", str(name), choices)
    return names
