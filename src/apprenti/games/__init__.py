"""The rules of the games. A game knows no other game, no agent and no file."""

import sys
from types import ModuleType


class _Games(ModuleType):
    """This room; called, it gives the names of all games, for `apprenti.games()` would otherwise find the room."""

    def __call__(self) -> list[str]:
        from apprenti.core.plugins import GAMES

        return list(GAMES)


sys.modules[__name__].__class__ = _Games
