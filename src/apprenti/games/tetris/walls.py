"""Walls: what lies on the board between two pieces, as one number. Here in its plainest form, made of the rules.

The value of a game depends on its wall alone where pieces are dealt independently of the past and none is shown ahead
(the thesis' Ṽ, section 2.3). The compiled half is `kernel/walls.py`; the tests hold the two together.
"""

from collections import deque
from collections.abc import Iterator

from apprenti.games.tetris.board import Board
from apprenti.games.tetris.pieces import Piece
from apprenti.games.tetris.placement import Placement, entry
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State, place

EMPTY_WALL = 0


def why_not(rules: Rules) -> str | None:
    """Why walls alone do not tell the value of a game under these rules; None if they do."""
    if rules.entry != "above" or rules.hidden:
        return "only rules whose pieces drop from above the pile can be solved (simplified, overflow)"
    if rules.randomiser.kind not in ("uniform", "weighted"):
        return "pieces must be dealt independently of each other to solve a game: uniform or weighted"
    if rules.preview:
        return "a game is solved with the next piece hidden"
    return None


def shares(rules: Rules) -> tuple[float, ...]:
    """How likely each piece is."""
    letters = rules.pieces.letters
    if rules.randomiser.kind == "uniform":
        return (1 / len(letters),) * len(letters)
    given = dict(rules.randomiser.shares)
    return tuple(given.get(letter, 0.0) / sum(given.values()) for letter in letters)


def mirrored(wall: int, width: int) -> int:
    """The mirror image of a wall."""
    image, row = 0, 0
    while wall >> (row * width):
        for column in range(width):
            image |= (wall >> (row * width + column) & 1) << (row * width + width - 1 - column)
        row += 1
    return image


def canonical(wall: int, width: int) -> int:
    """The one of a wall and its mirror image that stands for both: the greater number."""
    return max(wall, mirrored(wall, width))


def _outlines(piece: Piece, mirror: bool) -> frozenset[frozenset[tuple[int, int]]]:
    """The rotations of a piece, or of its mirror image, in no order."""
    return frozenset(
        frozenset((r, rotation.width - 1 - c if mirror else c) for r, c in rotation.cells)
        for rotation in piece.rotations
    )


def is_symmetric(rules: Rules) -> bool:
    """Whether a game and its mirror image are the same game: every piece's image is dealt as often as the piece."""
    dealt: dict[frozenset[frozenset[tuple[int, int]]], float] = {}
    images: dict[frozenset[frozenset[tuple[int, int]]], float] = {}
    for piece, share in zip(rules.pieces.pieces, shares(rules), strict=True):
        dealt[_outlines(piece, False)] = dealt.get(_outlines(piece, False), 0.0) + share
        images[_outlines(piece, True)] = images.get(_outlines(piece, True), 0.0) + share
    return all(abs(images.get(piece, 0.0) - share) < 1e-12 for piece, share in dealt.items())


def board_of(rules: Rules, wall: int) -> Board:
    """A wall as a board."""
    return Board.decode(wall, rules.width, rules.height, rules.hidden)


def afterstates(rules: Rules, wall: int, letter: str) -> Iterator[tuple[Placement, int, int | None]]:
    """Every placement of a piece, the lines it counts and the wall it leaves; None if it ends the game."""
    state = State(rules, board_of(rules, wall), letter, position=entry(rules, rules.pieces[letter]))
    for placement in state.legal:
        after = place(state, placement)
        yield placement, after.tally.lines, None if after.outcome else after.board.encode()


def reachable(rules: Rules) -> frozenset[int]:
    """Every wall that some play leads to from the empty board."""
    seen, queue = {EMPTY_WALL}, deque([EMPTY_WALL])
    while queue:
        wall = queue.popleft()
        for letter, share in zip(rules.pieces.letters, shares(rules), strict=True):
            for _, _, after in afterstates(rules, wall, letter) if share else ():
                if after is not None and after not in seen:
                    seen.add(after)
                    queue.append(after)
    return frozenset(seen)
