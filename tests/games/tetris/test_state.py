"""The rules of play: dealing, keys, gravity, points, the end."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError, BadNotation, IllegalMove
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream, below
from apprenti.games.tetris import Board, Rules, deal, place, press, start
from apprenti.games.tetris.placement import Position
from apprenti.games.tetris.state import End, State, answer, points_for
from tests.helpers import TETRIS
from tests.helpers import rules as some_rules


def played(rules, seed, pieces=40):
    """The states of a game of random placements."""
    rng, state = Stream.named(seed, "test"), start(rules)
    states = [state]
    while not state.outcome and state.tally.pieces < pieces:
        state = deal(state, rng) if state.turn == CHANCE else place(state, state.legal[below(rng, len(state.legal))])
        states.append(state)
    return states


@given(some_rules(), st.integers(0, 1000))
def test_cells_are_conserved(rules, seed):
    # cells dealt = width × lines + cells on the board
    for state in played(rules, seed):
        full = sum(cell != "." for row in state.board.rows for cell in row)
        assert 4 * state.tally.pieces == rules.width * state.tally.lines + full


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_a_bag_deals_every_piece_once_in_seven(seed):
    rng, state, dealt = Stream.named(seed, "bag"), start(Rules.preset("tetrisbot", size="10x60")), ""
    for _ in range(21):
        state = deal(state, rng)
        dealt += state.piece
        state = place(state, state.legal[0])
        if state.outcome:
            break
    for i in range(0, len(dealt) - 6, 7):
        assert sorted(dealt[i : i + 7]) == sorted("IOTSZJL")


def test_a_sequence_is_dealt_in_order_and_repeats():
    rules, rng = Rules.preset("simplified", randomiser="sequence:IOT"), Stream(1)
    state, dealt = start(rules), ""
    for _ in range(7):
        state = deal(state, rng)
        dealt += state.piece
        state = place(state, state.legal[0])
    assert dealt == "IOTIOTI"


def test_weighted_pieces_come_in_their_proportion():
    rules, rng = Rules.preset("simplified", randomiser="weighted:S=3,I=1", size="10x40"), Stream(5)
    from apprenti.games.tetris.state import draw, drawn

    state, dealt = start(rules), ""
    for _ in range(4000):
        dealt += draw(state, rng)
        state = drawn(state, dealt[-1])
    assert set(dealt) == {"S", "I"}
    assert abs(dealt.count("S") / 4000 - 0.75) < 0.03


def test_the_next_piece_is_seen_only_with_a_preview():
    rng = Stream(1)
    shown = deal(start(Rules.preset("tetrisbot")), rng)
    assert shown.next_piece and shown.observation().next_piece == shown.next_piece
    assert deal(start(Rules.preset("simplified")), rng).next_piece is None


def test_the_preview_does_not_change_what_is_dealt():
    def dealt(preview):
        rng, state, letters = Stream(9), start(Rules.preset("simplified", preview=preview)), ""
        for _ in range(12):
            state = deal(state, rng)
            letters += state.piece
            state = place(state, state.legal[0])
        return letters

    assert dealt(True) == dealt(False)


def on(board, letter, preset="tetrisbot", **changes):
    """A state with a given board and piece."""
    rules = Rules.preset(preset, size=f"{board.width}x{board.height}", randomiser=f"sequence:{letter}", **changes)
    state = deal(start(rules), Stream(1))
    padded = Board(board.rows + ("." * board.width,) * rules.hidden, rules.hidden)
    return State(rules, padded, state.piece, state.next_piece, position=state.position)


def test_each_turn_is_one_key_then_one_row_down():
    state = on(Board.parse(["......"] * 6), "O")
    before = state.position
    state = press(state, "L")
    assert (state.position.row, state.position.column) == (before.row - 1, before.column - 1)
    state = press(state, "N")
    assert (state.position.row, state.position.column) == (before.row - 2, before.column - 1)


def test_a_shift_into_the_wall_does_nothing_but_the_piece_falls():
    state = on(Board.parse(["...."] * 9), "O")
    for _ in range(3):
        state = press(state, "L")
    assert state.position.column == 0 and state.position.row == 9 - 1 - 3


def test_a_turn_at_the_edge_is_cancelled():
    # an upright I at the right wall cannot lie down: no kicks
    state = on(Board.parse(["......"] * 12), "I")
    state = press(state, "H")
    for _ in range(5):
        state = press(state, "R")
    assert (state.position.rotation, state.position.column) == (1, 5)
    assert press(state, "T").position.rotation == 1


def test_both_turns_lead_to_the_right_rotation():
    state = on(Board.parse(["......"] * 12), "T")
    assert press(state, "H").position.rotation == 1
    assert press(state, "T").position.rotation == 3


def test_a_piece_that_cannot_fall_comes_to_rest():
    state = on(Board.parse(["...."] * 3), "O")
    presses = 0
    while state.piece:
        state = press(state, "N")
        presses += 1
    assert presses == 3 and state.board.column_heights == (0, 2, 2, 0)


def test_a_dropped_piece_rests_at_once():
    state = press(on(Board.parse(["...."] * 6), "O"), "D")
    assert state.turn == CHANCE and state.board.column_heights == (0, 2, 2, 0)


@given(st.sampled_from("IOTSZJL"), st.integers(0, 500))
def test_every_placement_on_a_low_board_can_be_played_with_keys(letter, seed):
    rng = Stream.named(seed, "low")
    rows = ["".join(".#"[rng.random() < 0.5] for _ in range(9)) + "." for _ in range(4)]
    state = on(Board.parse(["." * 10] * 18 + rows), letter)
    for placement in state.legal:
        keys = state
        for _ in range(placement.rotation):
            keys = press(keys, "H")
        while keys.position.column != placement.column:
            keys = press(keys, "L" if keys.position.column > placement.column else "R")
        assert press(keys, "D").board == place(state, placement).board


@pytest.mark.parametrize(("points", "expected"), [("classic", [0, 40, 100, 300, 1200]), ("square", [0, 1, 4, 9, 16])])
def test_points_by_lines(points, expected):
    rules = Rules.preset("tetrisbot", points=points)
    assert [points_for(rules, lines) for lines in range(5)] == expected


def test_a_tetris_is_booked():
    board = Board.parse(["....", "....", "....", "....", "###.", "###.", "###.", "###."])
    state = press(on(board, "I", preset="simplified", points="classic"), "P:3:1")
    assert (state.tally.lines, state.tally.points, state.tally.last_points) == (4, 1200, 1200)
    assert state.tally.clears == (0, 0, 0, 1, 0)


def test_the_simplified_game_ends_when_a_piece_sticks_out_even_if_it_fills_a_line():
    board = Board.parse(["....", "###.", "###.", "###."])
    state = press(on(board, "O", preset="simplified"), "P:0:0")
    assert state.outcome.reason is End.STICKS_OUT and state.tally.lines == 0


def test_with_overflow_clears_a_filled_line_can_save_the_game():
    #   ....                                       row 4: the head of the I, above the board of 4 rows
    #   ###.   the upright I at column 3 rests on
    #   ###.   row 1, fills rows 1 to 3 and sticks
    #   ###.   out by one row; three lines go and
    #   ...#   its head comes down to row 1
    board = Board.parse(["###.", "###.", "###.", "...#"])
    saved = press(on(board, "I", preset="overflow"), "P:3:1")
    assert saved.outcome is None and saved.tally.lines == 3
    assert saved.board.rows[:2] == ("...#", "...I")
    lost = press(on(board, "I", preset="simplified"), "P:3:1")
    assert lost.outcome.reason is End.STICKS_OUT and lost.tally.lines == 0


def test_the_bots_game_ends_above_row_22():
    rows = [".........."] * 1 + ["#........."] * 21
    state = on(Board.parse(rows), "O")
    low = press(state, "P:4:0")
    assert low.outcome is None
    high = press(state, "P:0:0")
    assert high.outcome.reason is End.TOO_HIGH


def test_the_strict_game_ends_when_the_next_piece_has_no_room():
    # the O appears in the two top rows and cannot come down
    board = Board.parse(["....", "....", ".##.", ".##."])
    rules = Rules.preset("strict", size="4x4", randomiser="sequence:O")
    assert deal(State(rules, board), Stream(1)).outcome.reason is End.NO_ROOM
    assert deal(State(rules.changed(gravity_first=False), board), Stream(1)).outcome is None


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["strict", "tetrisbot"]), st.sampled_from(["rapid", "classic"]))
def test_direct_placements_are_drops_from_where_keys_lead_in_the_first_row(seed, preset, pieces):
    for state in played(Rules.preset(preset, "6x8", pieces=pieces), seed, pieces=12):
        if state.turn == 0:
            dropped = {press(replace(state, position=there), "D").board for there in reached_by_keys(state)}
            assert dropped == {place(state, placement).board for placement in state.legal}


def reached_by_keys(state):
    """Where shifts and turns lead a piece that does not fall: by each key, and then back up the row it fell."""
    found, todo = {state.position}, [state.position]
    while todo:
        here = replace(state, position=todo.pop())
        for there in (answer(here, key) for key in "LRHT"):
            there = (
                there.moved(1, 0) if isinstance(there, Position) else Position(there.rotation, there.row, there.column)
            )
            if there not in found:
                found.add(there)
                todo.append(there)
    return found


def test_a_limit_of_pieces_truncates():
    states = played(Rules.preset("tetrisbot", max_pieces=3), 1)
    assert states[-1].outcome.truncated and states[-1].tally.pieces == 3


@pytest.mark.parametrize("command", ["", "X", "l", "P", "P:1", "P:a:0", "P:-1:0", "P:0:0:0", "LL"])
def test_malformed_commands_are_refused(command):
    with pytest.raises(BadNotation):
        press(on(Board.parse(["......"] * 6), "T"), command)


@pytest.mark.parametrize("command", ["P:99:0", "P:0:9", "P:5:0"])
def test_impossible_placements_are_refused(command):
    with pytest.raises(IllegalMove):
        press(on(Board.parse(["......"] * 6), "T"), command)


def test_nothing_can_be_played_out_of_turn():
    state = start(Rules.preset("tetrisbot"))
    with pytest.raises(IllegalMove):
        press(state, "L")
    with pytest.raises(IllegalMove):
        deal(deal(state, Stream(1)), Stream(1))


@pytest.mark.parametrize(
    "changes",
    [
        {"size": "1x20"}, {"size": "10"}, {"size": "10x0"}, {"size": "ax2"}, {"points": "many"}, {"randomiser": "dice"},
        {"randomiser": "sequence:XYZ"}, {"randomiser": "weighted:S=0"}, {"max_pieces": -1}, {"pieces": "stones"},
        {"size": "3x20"}, {"entry": "below"}, {"hidden": 99},
    ],
)  # fmt: skip
def test_impossible_rules_are_refused(changes):
    with pytest.raises(ApprentiError):
        Rules.preset("simplified", **changes)


@given(some_rules())
def test_rules_survive_being_written_and_read(rules):
    assert Rules.from_json(rules.to_json()) == rules


@pytest.mark.parametrize("key", "LRHT")
def test_a_key_of_real_time_is_the_key_without_the_row_down(key):
    rules = Rules.preset("strict", "6x8")
    state = start(rules).play("T")
    shifted = state.play(f"{key}0")
    assert shifted.play("N") == state.play(key)
    assert shifted.position.row + shifted.shape.rotations[shifted.position.rotation].height >= 7
    assert TETRIS.read_move(state, f"{key.lower()}0") == f"{key}0"
