"""Why a move is not legal, in a sentence. It speaks of the mover's own pieces and of what both players see."""

from collections.abc import Sequence

from apprenti.games.luzhanqi.board import CAMPS, COLUMNS, NAMES, NEIGHBOURS, RAIL, SLOTS, move_name
from apprenti.games.luzhanqi.moves import NOBODY, may_leave
from apprenti.games.luzhanqi.pieces import MOBILE
from apprenti.games.luzhanqi.pieces import NAMES as PIECE_NAMES
from apprenti.games.luzhanqi.record import Record
from apprenti.games.luzhanqi.rules import Rules


def why_not(rules: Rules, record: Record, types: Sequence[int], origin: int, target: int) -> str:
    """The reason for which this move cannot be played here."""
    move, player = move_name(origin, target), record.to_move
    piece, other = record.board[origin], record.board[target]
    if record.outcome:
        return f"{move} cannot be played: the game is over ({record.outcome.reason})."
    if piece == NOBODY:
        return f"{move} cannot be played: nothing stands on {NAMES[origin]}."
    if piece // SLOTS != player:
        return f"{move} cannot be played: the piece on {NAMES[origin]} is the opponent's."
    if not may_leave(origin, types[piece], piece in record.carriers, rules):
        kind = PIECE_NAMES[types[piece]]
        why = "a piece in headquarters" if MOBILE >> types[piece] & 1 else f"a {kind}"
        return f"{move} cannot be played: {why} does not move."
    if origin == target:
        return f"{move} cannot be played: a piece has to move, there is no pass."
    if other != NOBODY and other // SLOTS == player:
        return f"{move} cannot be played: an own piece stands on {NAMES[target]}."
    if other != NOBODY and target in CAMPS:
        return f"{move} cannot be played: a piece in a camp cannot be attacked."
    if abs(origin - target) == COLUMNS and target not in NEIGHBOURS[origin]:
        return f"{move} cannot be played: a mountain lies between {NAMES[origin]} and {NAMES[target]}."
    if origin in RAIL and target in RAIL:
        return f"{move} cannot be played: no free railway leads a {PIECE_NAMES[types[piece]]} there."
    return f"{move} cannot be played: no road links {NAMES[origin]} and {NAMES[target]}."
