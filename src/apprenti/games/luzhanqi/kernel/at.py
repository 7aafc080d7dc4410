"""Where things are: the places in the array of a game, and in the array of the rules."""

from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.pieces import TYPES

PIECES = 2 * SLOTS

# A game: 64-bit whole numbers, 2 240 bytes, copied as one block. A piece is 25·player + the slot it began on.
BOARD = 0
"""For each point the piece on it, or −1."""
TYPE = BOARD + POINTS
"""For each piece its type, 12 if there never was one."""
POINT = TYPE + PIECES
"""For each piece the point it stands on, or −1."""
FACTS = POINT + PIECES
"""For each piece what both players have seen of it: the sum of HAS_MOVED, HAS_TURNED, HAS_SURVIVED."""
DEDUCED = FACTS + PIECES
"""For each piece the set of types that its enemy can deduce from this piece alone. Its owner must not see it."""
OCCUPIED = DEDUCED + PIECES
"""For each player the set of points with a piece on them."""
TO_MOVE = OCCUPIED + 2
QUIET = TO_MOVE + 1
MOVES = QUIET + 1
OUTCOME = MOVES + 1
"""GOING_ON, or why it is over."""
WINNER = OUTCOME + 1
"""The winner, −1 for a draw; it means nothing while the game goes on."""
FLAGS = WINNER + 1
"""For each player where the flag is, if that is public, or −1."""
CARRIERS = FLAGS + 2
"""For each player the enemy piece that carries the flag, or −1."""
MINES = CARRIERS + 2
"""For each player how many mines are left."""
FLAG_PIECE = MINES + 2
"""For each player which piece is the flag."""
FROM = FLAG_PIECE + 2
TO = FROM + 1
RESULT = TO + 1
"""The last move and its result; −1 before the first."""
OWN_FROM = RESULT + 1
OWN_TO = OWN_FROM + 1
"""The move before it, the last one of the player to move; −1 before that player's first."""
SIZE = 280

HAS_MOVED, HAS_TURNED, HAS_SURVIVED = 1, 2, 4

GOING_ON, FLAG_TAKEN, FLAG_HOME, QUIET_END, NO_MOVE, LONG = range(6)

# The rules: 64-bit whole numbers.
LOCK = 0
REVEAL = 1
SHOW = 2
FLAG_RULE = 3
"""WINS, CARRIED or AFTER_MINES."""
QUIET_LIMIT = 4
QUIET_DRAW = 5
MAX_MOVES = 6
TURNING = 7
"""The set of types that turn on rails."""
GROUND = 8
"""Which board it is: 0 for the full one, 1 for mini."""
BLOCKED = 9
"""The set of points that are not part of it."""
COUNTS = 10
ALLOWED = COUNTS + TYPES
"""For each slot the set of types that may begin there; none where the board has no such slot."""
FIGHT = ALLOWED + SLOTS
"""The result for (mines left, attacker, defender)."""
AFTER = FIGHT + 2 * TYPES * TYPES
"""The set of types of the enemy piece after a fight, for (own type, own attacks, result)."""
RULES_SIZE = AFTER + TYPES * 2 * 4

WINS, CARRIED, AFTER_MINES = range(3)
