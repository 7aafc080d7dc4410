"""The games there are, by the names people use for them; each is loaded only when it is played."""

from apprenti.core.protocols import Game
from apprenti.core.registry import Entry, Registry


def _check(name: str, game: Game) -> None:
    """Refuse a plug-in that is no game, or would not be found again by the name in its replays."""
    if game.name != name or not game.describe(game.rules()):
        raise ValueError(f"the game there is called {game.name!r}")


USUAL = "tetris"
"""What is played where neither the user nor an agent says what."""

GAMES: Registry[Game] = Registry(
    "game",
    {
        "tetris": Entry("apprenti.games.tetris.game:GAME", "falling pieces, full lines vanish"),
        "tictactoe": Entry("apprenti.games.mnk.game:TICTACTOE", "three in a row on 3 by 3"),
        "gomoku": Entry("apprenti.games.mnk.game:GOMOKU", "five in a row on 15 by 15"),
        "mnk": Entry("apprenti.games.mnk.game:MNK", "K in a row on any board, like --size 5x5x4"),
        "luzhanqi": Entry("apprenti.games.luzhanqi.game:GAME", "army chess with hidden pieces"),
        "gridworld": Entry("apprenti.games.mdp.game:GRIDWORLD", "a walk on a slippery grid, for lessons"),
        "mdp": Entry("apprenti.games.mdp.game:MDP", "small decision processes: a robot, a river"),
    },
    plugins="apprenti.games",
    check=_check,
)
