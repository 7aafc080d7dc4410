"""What compiled code of agents and learners is made of: the parts of the kernel that others may call."""

from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.batch import legal_all
from apprenti.games.luzhanqi.kernel.begin import begun
from apprenti.games.luzhanqi.kernel.bits import copy, lowest_bit
from apprenti.games.luzhanqi.kernel.knowledge import known
from apprenti.games.luzhanqi.kernel.moves import MOST_MOVES, legal_moves, slides, targets
from apprenti.games.luzhanqi.kernel.planes import planes_of
from apprenti.games.luzhanqi.kernel.play import apply, make, no_move, too_long
from apprenti.games.luzhanqi.kernel.random_play import perft, playout
from apprenti.games.luzhanqi.kernel.tables import (
    CAMPS,
    HEADQUARTERS,
    MOVE_FROM,
    MOVE_TO,
    NEIGHBOURS,
    OWN_HEADQUARTERS,
    RAIL,
    TURNED_ACTION,
)

__all__ = [
    "CAMPS", "HEADQUARTERS", "MOST_MOVES", "MOVE_FROM", "MOVE_TO", "NEIGHBOURS", "OWN_HEADQUARTERS", "RAIL",
    "TURNED_ACTION", "apply", "at", "begun", "copy", "known", "legal_all", "legal_moves", "lowest_bit",
    "make", "no_move", "perft", "planes_of", "playout", "slides", "targets", "too_long",
]  # fmt: skip
