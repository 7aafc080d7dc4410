"""What one game adds to the command line beyond its contract; most games add nothing."""

from dataclasses import dataclass
from typing import Any, ClassVar

from apprenti.core.protocols import Arranges, Game, Rules
from apprenti.core.registry import Entry, Registry
from apprenti.views.view import View, view_of


@dataclass(frozen=True, kw_only=True)
class NoOptions:
    """Nothing more can be chosen."""


class Extras:
    """What a game adds. This is nothing; a game overrides what it needs."""

    Options: ClassVar[type[Any]] = NoOptions
    """More options of `play`."""
    about: ClassVar[str] = ""
    """How a person plays, as far as it is not as everywhere."""

    def usual_rules(self) -> Rules:
        """What a person plays when nobody asks for anything else; None to leave it to the game."""
        return None

    def unwatched_rules(self, rules: Rules) -> Rules:
        """Rules under which a game ends when nobody watches it."""
        return rules

    def view(self, game: Game, options: Any) -> View:
        """How a person sees the game."""
        return view_of(game)

    def setup(self, rules: Rules, options: Any) -> Arranges | None:
        """How a person sets up an army; None where there is none."""
        return None


EXTRAS: Registry[Extras] = Registry(
    "addition to the command line",
    {
        "tetris": Entry("apprenti.cli.tetris.extras:EXTRAS", "the Tetris Bot's rules for a person"),
        "luzhanqi": Entry("apprenti.cli.luzhanqi.extras:EXTRAS", "a person's army"),
    },
    plugins="apprenti.cli",
)


def extras_of(game: Game) -> Extras:
    """What a game adds."""
    return EXTRAS.load(game.family) if game.family in EXTRAS else Extras()
