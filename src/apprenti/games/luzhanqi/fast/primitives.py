"""What compiled code of agents and learners is made of: the parts of the kernel that others may call."""

from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.board import (
    CAMPS,
    HEADQUARTERS,
    MOVE_FROM,
    MOVE_TO,
    NEIGHBOURS,
    OWN_HEADQUARTERS,
    RAIL,
    TURNED_ACTION,
    copy,
    lowest_bit,
)
from apprenti.games.luzhanqi.kernel.games import legal_all, perft, playout
from apprenti.games.luzhanqi.kernel.knowledge import known, planes_of
from apprenti.games.luzhanqi.kernel.play import (
    MOST_MOVES,
    apply,
    begun,
    legal_moves,
    make,
    no_move,
    slides,
    targets,
    too_long,
)

__all__ = [
    "CAMPS", "HEADQUARTERS", "MOST_MOVES", "MOVE_FROM", "MOVE_TO", "NEIGHBOURS", "OWN_HEADQUARTERS", "RAIL",
    "TURNED_ACTION", "apply", "at", "begun", "copy", "known", "legal_all", "legal_moves", "lowest_bit",
    "make", "no_move", "perft", "planes_of", "playout", "slides", "targets", "too_long",
]  # fmt: skip
