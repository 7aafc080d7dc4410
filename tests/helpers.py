"""Boards, rules and weights to test with."""

from dataclasses import dataclass

from hypothesis import strategies as st

from apprenti.arena.game import play_game
from apprenti.core.protocols import GameSeeds, Reason
from apprenti.games.tetris import Board, Observation, Rules, legal_placements
from apprenti.games.tetris.criteria import CRITERIA, is_group, size_of
from apprenti.games.tetris.fast.tables import TERM, Plan
from apprenti.games.tetris.game import GAME as TETRIS
from apprenti.games.tetris.placement import entry
from apprenti.games.tetris.state import Tally

EVERYTHING = Plan(frozenset(TERM))
"""One compilation for every criterion, so that the tests compile it once."""
SEVERAL = (
    "landing_height", "eroded_piece_cells", "row_transitions", "column_transitions", "holes", "cumulative_wells",
    "hole_depth", "lines", "max_height", "bumpiness", "sum_heights", "column_heights", "height_differences",
)  # fmt: skip
"""Criteria of every form: a count of the board or of the move, runs of cells, numbers for columns and for pairs of
them. Whole games are compiled for these alone; `make soak PART=kernel` has all."""
SOME = Plan(frozenset(SEVERAL))

DELLACHERIE = {
    "landing_height": -1,
    "eroded_piece_cells": 1,
    "row_transitions": -1,
    "column_transitions": -1,
    "holes": -4,
    "cumulative_wells": -1,
}


@st.composite
def boards(draw, width=None, height=None, hidden=0, low=False):
    """Boards with overhangs, holes, wells and almost full rows, but no full one."""
    width = width or draw(st.integers(4, 16))
    height = height or draw(st.integers(5, 20))
    pile = draw(st.integers(0, max(0, height - 4) if low else height))
    rows = []
    for _ in range(pile):
        kind = draw(st.sampled_from(["random", "dense", "almost full"]))
        if kind == "almost full":
            gaps = draw(st.sets(st.integers(0, width - 1), min_size=1, max_size=2))
        else:
            few = 2 if kind == "dense" else 1
            gaps = {c for c in range(width) if draw(st.integers(0, few)) == 0} or {draw(st.integers(0, width - 1))}
        rows.append("".join("." if c in gaps else "#" for c in range(width)))
    rows += ["." * width] * (height + hidden - pile)
    return Board(tuple(rows), hidden)


@st.composite
def weights(draw, width, names=CRITERIA, most=6):
    """Weights for a few criteria, mostly of a sign that lets games last."""
    chosen = draw(st.lists(st.sampled_from(sorted(names)), min_size=1, max_size=most, unique=True))
    number = st.one_of(st.integers(-5, 1), st.floats(-10, 2, allow_nan=False))
    return {
        name: draw(st.lists(number, min_size=(n := size_of(name, width)), max_size=n))
        if is_group(name)
        else draw(number)
        for name in chosen
    }


RANDOMISERS = ("uniform", "bag", "weighted:S=2,Z=1,I=3,O=1", "sequence:IOTSZJLLSZ")


NARROW, WIDE = (4, 10), (11, 16)
"""Widths of boards for which the same plan is compiled once: a test of one of them compiles half as much."""


@st.composite
def rules(draw, widths=(4, 16), **changes):
    """Rules of every kind the kernel plays."""
    name = draw(st.sampled_from(["simplified", "overflow", "strict", "tetrisbot"]))
    size = f"{draw(st.integers(*widths))}x{draw(st.integers(4, 16))}"
    options = {
        "randomiser": draw(st.sampled_from(RANDOMISERS)),
        "pieces": draw(st.sampled_from(["rapid", "rapid", "classic"])),
        "points": draw(st.sampled_from(["lines", "classic", "square"])),
        "gravity_first": name in ("strict", "tetrisbot") and draw(st.booleans()),
        **changes,
    }
    return Rules.preset(name, size, **options)


def seen(board, letter, preset="simplified", next_piece=None, remaining="", dealt=1, **changes):
    """What a player sees on a board (or its rows, the top one first), and the placements it may choose from."""
    board = board if isinstance(board, Board) else Board.parse(board)
    rules = Rules.preset(preset, f"{board.width}x{board.height}", preview=next_piece is not None, **changes)
    board = Board(board.rows + ("." * board.width,) * (rules.hidden - board.hidden), rules.hidden)
    position = entry(rules, rules.pieces[letter])
    observation = Observation(rules, board, letter, next_piece, remaining, dealt, Tally(), position)
    return observation, legal_placements(rules, board, letter)


@dataclass(frozen=True)
class Played:
    """A game of Tetris by the readable rules, with its whole tally."""

    tally: Tally
    reason: Reason
    died: bool
    moves: tuple[str, ...]


def play_tetris(agent, rules, seeds):
    """Let an agent play, from the seeds of the pieces and of the player."""
    states, (pieces, player) = [], seeds
    seeds = GameSeeds(pieces, (0,), (player,))
    played = play_game(TETRIS, rules, [agent], seeds, lambda state, move: states.append(state))
    return Played(states[-1].tally, played.outcome.reason, not played.outcome.truncated, played.moves)
