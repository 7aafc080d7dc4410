"""The games there are, by the names people use for them; each is loaded only when it is played."""

from apprenti.core.plugins import Registry
from apprenti.core.protocols import Game


def _check(name: str, game: Game) -> None:
    """Refuse a plug-in that is no game, or would not be found again by the name in its replays."""
    if game.name != name or not game.describe(game.rules()):
        raise ValueError(f"the game there is called {game.name!r}")


GAMES: Registry[Game] = Registry("game", "games", check=_check)


def usual_game() -> str:
    """What is played where neither the user nor an agent says what: the first game."""
    return next(iter(GAMES), "")
