"""How positions of games for two are shown and pointed at; a view for each family of games."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from apprenti.core.registry import Entry, Registry


@dataclass(frozen=True)
class Look:
    """How somebody looks at a position."""

    eyes: int | None = None
    """Whose knowledge is shown, 0 or 1; None for everything."""
    colour: bool = True
    cursor: int | None = None
    """The point the arrow keys are on."""
    chosen: int | None = None
    """The point that has been picked up."""
    last: tuple[int, ...] = ()
    """The points of the last move."""
    hints: Mapping[Any, float] = field(default_factory=dict)
    """The value of each move, where somebody asked."""
    small: bool = False
    """Drawn smaller, if it can be, because the terminal is low."""
    chinese: bool = False


class View(Protocol):
    """What the terminal needs to know of a family of games."""

    def screen(self, state: Any, look: Look) -> str:
        """The board as text."""
        ...

    def start(self, state: Any) -> int:
        """The point the cursor begins on."""
        ...

    def walk(self, state: Any, point: int, key: str, eyes: int) -> int:
        """Where an arrow key takes the cursor."""
        ...

    def pick(self, state: Any, chosen: int | None, point: int) -> tuple[int | None, Any]:
        """What Enter means on a point: (the point now picked up, the move if it is complete)."""
        ...

    def points(self, move: Any) -> tuple[int, ...]:
        """The points that a move touches."""
        ...

    def how(self, state: Any) -> str:
        """How a move is given, on one line."""
        ...


VIEWS: Registry[View] = Registry(
    "view",
    {
        "mnk": Entry("apprenti.views.mnk.view:VIEW", "a board of marks"),
        "luzhanqi": Entry("apprenti.views.luzhanqi:VIEW", "a board of roads and railways"),
    },
)


def view_of(family: str) -> View:
    """The view of a family of games."""
    return VIEWS.load(family)
