"""The games there are, by the names people use for them; each is loaded only when it is played."""

from apprenti.core.registry import Entry, Registry

GAMES_FOR_TWO = Registry(
    "game for two",
    {
        "tictactoe": Entry("apprenti.games.mnk.game:TICTACTOE", "three in a row on 3 by 3"),
        "gomoku": Entry("apprenti.games.mnk.game:GOMOKU", "five in a row on 15 by 15"),
        "mnk": Entry("apprenti.games.mnk.game:MNK", "K in a row on any board, like --size 5x5x4"),
        "luzhanqi": Entry("apprenti.games.luzhanqi.game:GAME", "army chess with hidden pieces"),
    },
)
