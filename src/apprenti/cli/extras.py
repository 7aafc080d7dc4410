"""What one game adds to the command line beyond its contract; most games add nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from apprenti.core.game import AnyGame
from apprenti.core.plugins import Registry
from apprenti.core.protocols import AnyRules, Arranges
from apprenti.views.view import View


@dataclass(frozen=True, kw_only=True)
class NoOptions:
    """Nothing more can be chosen."""


@dataclass(frozen=True)
class Extras:
    """What a game adds."""

    Options: type[Any] = NoOptions
    """More options of `play`."""
    about: str = ""
    """How a person plays, as far as it is not as everywhere."""
    usual_rules: AnyRules = None
    """What a person plays when nothing else is asked for; None to leave it to the game."""
    unwatched: Callable[[AnyRules], AnyRules] = lambda rules: rules
    """Rules under which a game ends when nobody watches it."""
    view: Callable[[Any], View] | None = None
    """How a person with these options sees the game, if not as everybody."""
    setup: Callable[[AnyRules, Any], Arranges | None] = lambda rules, options: None
    """How a person with these options sets up an army, where there is one."""


EXTRAS: Registry[Extras] = Registry("addition to the command line", "at_a_terminal")


def extras_of(game: AnyGame) -> Extras:
    """What a game adds."""
    return EXTRAS.load(game.family) if game.family in EXTRAS else Extras()
