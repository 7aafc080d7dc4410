"""A game by the loop that the Tetris Bot report prints (4.5 "Déroulement de la partie"), written down move by move.

The loop here knows nothing of our states. Both engines must be asked for the same moves at the same places. If a change
is meant: python -m tests.golden.test_report_loop && git diff tests/golden
"""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream, pick
from apprenti.games.tetris import Board, Rules, deal, press, start
from apprenti.games.tetris.fast.keys import KEYS, KeyBatch
from apprenti.games.tetris.placement import Position

GOLDEN = Path(__file__).with_name("report-loop-4x6.txt")
RULES = Rules.preset("tetrisbot", "4x6", pieces="classic", preview=False, randomiser="sequence:TIOSLJZ")
SEED = 7


def asked(rules, keys):
    """The board, the piece and its place whenever a move is asked for; then the board that ended the game."""
    board, letters = Board.empty(rules.width, rules.height, rules.hidden), rules.randomiser.sequence
    dealt = 0
    while board.highest <= rules.height:  # while the game runs
        piece = rules.pieces[letters[dealt % len(letters)]]  # put a new block in play
        dealt += 1
        shape = piece.rotations[0]
        here = Position(0, rules.height + rules.hidden - shape.height, (rules.width - shape.width) // 2)
        while board.is_free(here.moved(-1, 0).cells(piece)):  # while the piece can go down
            here = here.moved(-1, 0)  # go down one row
            yield board, piece.letter, here
            here = moved(board, piece, here, next(keys))  # ask for the next move, play it
        board, _ = board.with_cells(here.cells(piece), piece.letter).without_lines(len(board.rows))
    yield board, "", None


def moved(board, piece, here, key):
    """Where a key brings the piece; it stays where it is if it cannot go there."""
    if key == "D":
        while board.is_free(here.moved(-1, 0).cells(piece)):
            here = here.moved(-1, 0)
        return here
    step = {"L": -1, "R": 1}.get(key, 0)
    turn = {"H": piece.clockwise, "T": piece.anticlockwise}.get(key)
    there = here.turned(piece, turn(here.rotation)) if turn else here.moved(0, step)
    return there if board.is_free(there.cells(piece)) else here


def some_keys(seed):
    """Keys for ever, few of them drops."""
    rng = Stream(seed)
    while True:
        yield pick(rng, "LLRRHTNNNND")


def in_words(rules, keys):
    """The game as text."""
    lines, keys = [rules.description, ""], list(keys)
    for number, (board, letter, here) in enumerate(asked(rules, iter(keys))):
        if here:
            board = board.with_cells(here.cells(rules.pieces[letter]), "*")
            lines.append(f"{number + 1}: {letter} at {here.rotation},{here.row},{here.column}, key {keys[number]}")
        lines += ["over"] if not here else []
        lines.append(str(board))
    return "\n".join(lines) + "\n"


def first(keys, count=400):
    """The first of some keys."""
    return [next(keys) for _ in range(count)]


def test_the_printed_loop_gives_the_golden_game():
    assert in_words(RULES, first(some_keys(SEED))) == GOLDEN.read_text(encoding="utf-8"), __doc__


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["rapid", "classic", "domino"]), st.sampled_from(["4x6", "8x8", "10x22"]))
def test_both_engines_ask_for_the_moves_of_the_printed_loop(seed, pieces, size):
    letters = "DD" if pieces == "domino" else "".join(pick(Stream(seed + k), "IOTSZJL") for k in range(9))
    rules = Rules.preset("tetrisbot", size, pieces=pieces, preview=False, randomiser=f"sequence:{letters}")
    keys, chance, batch = some_keys(seed), Stream(0), KeyBatch(rules, 1)
    batch.reset([0])
    state, pressed = deal(start(rules), chance), ""

    def pressed_keys():
        nonlocal pressed
        while True:
            pressed = next(keys)
            yield pressed

    for board, letter, here in asked(rules, pressed_keys()):
        if pressed:
            batch.press([KEYS.index(pressed)])
            state = press(state, pressed)
            state = deal(state, chance) if state.turn == CHANCE else state
        if here:
            assert (state.board.rows, state.piece, state.position) == (board.rows, letter, here)
            assert batch.observe(0).position == here
    assert state.outcome and batch.outcome[0]


if __name__ == "__main__":
    GOLDEN.write_text(in_words(RULES, first(some_keys(SEED))), encoding="utf-8")
