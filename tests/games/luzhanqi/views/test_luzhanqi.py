"""The board of Luzhanqi on the screen: what it looks like, and that it tells nobody what is hidden from them."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import IllegalMove
from apprenti.core.seeds import Stream, below, pick
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import EDGES, POINTS, RAIL_EDGES, SLOTS, START, parse_move, parse_point
from apprenti.games.luzhanqi.layout import BOOK, uniform_layout
from apprenti.games.luzhanqi.pieces import LETTERS, type_set
from apprenti.games.luzhanqi.views import VIEW
from apprenti.games.luzhanqi.views.pieces import SHORT, counted, enemy_text, in_words, width_of
from apprenti.games.luzhanqi.views.view import MIDDLE, PITCH, LuzhanqiView, between, empty
from apprenti.views.view import Look
from tests.games.luzhanqi.test_state import army

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
PLAIN = Look(0, colour=False)
BETWEEN = [between(row) for row in range(11)]
START_OF_BOOK = State.start(BOOK[0], BOOK[5])


def played(state, moves, seed=1, attacks=0.5):
    """A game after some moves, half of them attacks where there are any."""
    rng = Stream(seed)
    for _ in range(moves):
        if state.outcome:
            return state
        legal = state.legal_moves()
        fights = [move for move in legal if state.record.board[parse_move(move)[1]] >= 0]
        state = state.play(pick(rng, fights if fights and rng.random() < attacks else legal))
    return state


def after(*moves, south=BOOK[0], north=BOOK[5], rules="ccgc"):
    """A game after these moves."""
    state = State.start(south, north, rules)
    for move in moves:
        state = state.play(move)
    return state


def row(screen, letter):
    """The line of a row of points."""
    return next(line for line in screen.split("\n") if line.startswith(f" {letter} "))


# What it looks like ---------------------------------------------------------------------------------------------------


def test_the_first_screen_has_the_own_pieces_by_name_below_and_unknown_ones_above():
    lines = VIEW.screen(START_OF_BOOK, PLAIN).split("\n")
    expected = """
          0              1              2              3              4
 A  [ ▾?1-9 mb  ]──{ ▾?1-9 mbf }──[ ▾?1-9 mb  ]──{ ▾?1-9 mbf }──[ ▾?1-9 mb  ]
          │              │              │              │              │
 B  [ ▾?1-9 mb  ]══[ ▾?1-9 mb  ]══[ ▾?1-9 mb  ]══[ ▾?1-9 mb  ]══[ ▾?1-9 mb  ]
          ║      ╲       │      ╱       │      ╲       │      ╱       ║
 C  [  ▾?1-9 b  ]───────( )───────[  ▾?1-9 b  ]───────( )───────[  ▾?1-9 b  ]
          ║      ╱       │      ╲       │      ╱       │      ╲       ║
 D  [  ▾?1-9 b  ]──[  ▾?1-9 b  ]───────( )───────[  ▾?1-9 b  ]──[  ▾?1-9 b  ]
          ║      ╲       │      ╱       │      ╲       │      ╱       ║
 E  [  ▾?1-9 b  ]───────( )───────[  ▾?1-9 b  ]───────( )───────[  ▾?1-9 b  ]
          ║      ╱       │      ╲       │      ╱       │      ╲       ║
 F  [   ▾?1-9   ]══[   ▾?1-9   ]══[   ▾?1-9   ]══[   ▾?1-9   ]══[   ▾?1-9   ]
          ║             ^^^             ║             ^^^             ║
 G  [ 3 Captain ]══[7 Maj. Gen.]══[ 2 Lieut.  ]══[6 Brigadier]══[ 3 Captain ]
          ║      ╲       │      ╱       │      ╲       │      ╱       ║
 H  [ 5 Colonel ]───────( )───────[ 9 Marshal ]───────( )───────[  4 Major  ]
          ║      ╱       │      ╲       │      ╱       │      ╲       ║
 I  [   Bomb    ]──[ 8 General ]───────( )───────[   Bomb    ]──[6 Brigadier]
          ║      ╲       │      ╱       │      ╲       │      ╱       ║
 J  [7 Maj. Gen.]───────( )───────[1 Engineer ]───────( )───────[ 5 Colonel ]
          ║      ╱       │      ╲       │      ╱       │      ╲       ║
 K  [1 Engineer ]══[   Mine    ]══[ 3 Captain ]══[  4 Major  ]══[1 Engineer ]
          │              │              │              │              │
 L  [   Mine    ]──{   Flag    }──[   Mine    ]──{ 2 Lieut.  }──[ 2 Lieut.  ]"""
    assert lines[:24] == expected.split("\n")[1:]
    assert lines[24:27] == [" move 1, quiet 0 of 31 (31 loses)", " you lost nothing", " the enemy lost nothing"]


def test_every_line_of_the_drawing_is_a_link_of_the_board():
    verticals = {(p, p + 5): BETWEEN[p // 5][MIDDLE + PITCH * (p % 5)] for p in range(POINTS - 5)}
    assert {pair for pair, line in verticals.items() if line == "║"} == {e for e in RAIL_EDGES if e[1] - e[0] == 5}
    assert {pair for pair, line in verticals.items() if line in "│║"} == {e for e in EDGES if e[1] - e[0] == 5}
    assert {pair for pair, line in verticals.items() if line == "^"} == {(26, 31), (28, 33)}
    assert sum(line.count("╲") for line in BETWEEN) == sum(second - first == 6 for first, second in EDGES)
    assert sum(line.count("╱") for line in BETWEEN) == sum(second - first == 4 for first, second in EDGES)


def test_empty_points_are_crossings_of_roads_and_railways_camps_and_headquarters():
    drawn = "/".join("".join(empty(5 * row + column) for column in range(5)) for row in range(12))
    assert drawn.startswith("┌{ }┬{ }┐/╠╪╪╪╣/╟( )┼( )╢/╟┼( )┼╢/╟( )┼( )╢/╠╧╬╧╣/╠╤╬╤╣")
    assert drawn.endswith("╟( )┼( )╢/╟┼( )┼╢/╟( )┼( )╢/╠╪╪╪╣/└{ }┴{ }┘")


def test_what_is_not_part_of_the_mini_board_is_blank():
    rules = Rules.preset("mini")
    south = army(G0="a", G1="g", H4="k", K0="e", K2="i", K3="i", L1="l", L2="j")
    north = south.translate(str.maketrans("ag", "ga"))
    lines = VIEW.screen(State.start(south, north, rules), Look(colour=False)).split("\n")
    expected = """
          0              1              2              3              4
 A                      { }───────[   ▾Mine   ]──{   ▾Flag   }
                         │              │              │
 B        ╔════════[▾1 Engineer]══[▾1 Engineer]════════╪════════[▾5 Colonel ]
          ║      ╲       │      ╱              ╲       │      ╱       ║
 C        ╟─────────────( )                           ( )─────────────╢
          ║      ╱                                            ╲       ║
 D        ║                                                           ║
          ║                                                           ║
 E  [   ▾Bomb   ]                                                     ║
          ║                                                           ║
 F        ╠═════════════════════════════╦════════[▾9 Marshal ]══[▾3 Captain ]
          ║             ^^^             ║             ^^^             ║
 G  [ 9 Marshal ]══[ 3 Captain ]════════╩═════════════════════════════╣
          ║                                                           ║
 H        ║                                                     [   Bomb    ]"""
    assert lines[:16] == expected.split("\n")[1:]
    assert all(width_of(line) <= 80 for line in lines)


def test_the_cursor_steps_over_what_is_not_part_of_the_board():
    state = State.setup("mini")
    for point, key, there in (("B2", "down", "F2"), ("C1", "right", "C3"), ("D0", "right", "D4"), ("A1", "left", "A1")):
        assert VIEW.walk(state, parse_point(point), key, 0) == parse_point(there)
    assert VIEW.walk(state, parse_point("C1"), "left", 1) == parse_point("C3")


def test_north_sits_at_the_bottom_too_and_the_points_keep_their_names():
    screen = VIEW.screen(START_OF_BOOK, Look(1, colour=False))
    lines = screen.split("\n")
    assert lines[0].split() == ["4", "3", "2", "1", "0"]
    assert [line[1] for line in lines[1:24:2]] == list("LKJIHGFEDCBA")
    shown = re.findall("|".join(map(re.escape, SHORT)), "\n".join(lines[13:24:2]))
    assert "".join(LETTERS[SHORT.index(name)] for name in shown) == BOOK[5]  # as its owner reads it


@settings(max_examples=30)
@given(st.integers(0, 200), st.integers(0, 150), st.sampled_from([None, 0, 1]), st.booleans())
def test_the_screen_fits_80_columns_and_chinese_names_do_not_move_anything(seed, moves, eyes, carried):
    rules = Rules(flag="carried") if carried else Rules()
    state = played(State.start(BOOK[seed % 16], BOOK[5], rules), moves, seed)
    english, chinese = (LuzhanqiView(chinese).screen(state, Look(eyes, False)).split("\n") for chinese in (False, True))
    assert len(english) == len(chinese) <= 28
    for point in range(POINTS) if eyes is not None else ():
        below = VIEW.screen(state, Look(eyes, False, cursor=point)).split("\n")[23:]
        assert len(below) <= 6 and all(len(line) <= 80 for line in below)
    assert all(width_of(line) <= 80 for line in (*english, *chinese))
    for line, other in zip(english[:24], chinese[:24], strict=True):
        assert width_of(line) == width_of(other)
        assert [c for c in line if c in "[](){}<>"] == [c for c in other if c in "[](){}<>"]


def test_colours_change_no_text():
    state = played(START_OF_BOOK, 30)
    look = Look(0, cursor=32, chosen=30, last=(20, 25))
    coloured = VIEW.screen(state, look)
    assert "\x1b[" in coloured
    assert ESCAPES.sub("", coloured) == VIEW.screen(state, replace(look, colour=False))


def test_a_low_terminal_gets_the_rows_without_the_lines_between():
    lines = VIEW.screen(START_OF_BOOK, replace(PLAIN, small=True)).split("\n")
    assert len(lines) == 17
    assert "".join(line[1] for line in lines[1:13]) == "ABCDEFGHIJKL"


# What is marked -------------------------------------------------------------------------------------------------------


def test_the_last_move_is_marked_where_it_came_from_and_where_it_went():
    state = after("G2F2")  # lieutenant against whatever stands there
    screen = VIEW.screen(state, Look(0, False, last=VIEW.points("G2F2")))
    assert state.last_result == "died"
    assert "<   ▾?3-9   >" in row(screen, "F")
    assert "<╬>" in row(screen, "G")
    assert " move 2, quiet 0 of 31 (31 loses)  G2F2: attacker died\n you lost Lieut.\n" in screen
    assert " you lost 排长" in LuzhanqiView(chinese=True).screen(state, Look(0, False))


def test_a_piece_picked_up_shows_where_it_can_go():
    state = after("G2F2", "F2G2")
    look = Look(0, False, cursor=parse_point("H1"), chosen=parse_point("G1"))
    screen = VIEW.screen(state, look)
    assert "*7 Maj. Gen.*" in row(screen, "G")
    assert "▸▪◂" in row(screen, "H")  # the camp under the cursor
    aims = {parse_move(move)[1] for move in state.legal_moves() if move.startswith("G1")}
    assert ESCAPES.sub("", screen).count("▪") == sum(2 if state.record.board[p] >= 0 else 1 for p in aims)


def test_the_point_under_the_cursor_is_put_into_words():
    state = after("G2F2")
    assert " F2: enemy, never moved, survived a fight: can be field marshal … captain" in VIEW.screen(
        state, Look(0, False, cursor=parse_point("F2"))
    )
    shown = VIEW.screen(State.start(BOOK[0], BOOK[5]), Look(0, False, cursor=1))
    assert shown.endswith("\n A1: enemy, never moved: can be field marshal … engineer, landmine, bomb or flag")
    assert " G1: your major general" in VIEW.screen(state, Look(0, False, cursor=parse_point("G1")))
    assert " G2: nothing stands here" in VIEW.screen(state, Look(0, False, cursor=parse_point("G2")))


@pytest.mark.parametrize(
    ("letters", "moved", "text"),
    [
        ("abcdefghijkl", False, "▾?1-9 mbf"),
        ("abcdefghik", True, "▾~1-9 b"),
        ("abcd", True, "▾~6-9"),
        ("ak", True, "▾~9 b"),
        ("jl", False, "▾? mf"),
        ("i", True, "▾1 Engineer"),
        ("c", True, "▾7Maj. Gen."),
        ("l", False, "▾Flag"),
    ],
)
def test_an_enemy_piece_is_shown_by_what_it_can_be(letters, moved, text):
    assert enemy_text(type_set(letters), moved) == text
    assert width_of(text) <= 11


def test_a_flag_that_has_been_shown_is_named_where_it_stands():
    bombs_first = "gchdgeafkbkdcieijgfijljhh"  # south: bombs at I0 and I3
    state = State.start(bombs_first, bombs_first)
    marshal = next(seed for seed in range(500) if played(state, 60, seed).revealed_flag(1))
    shown = played(state, 60, marshal)
    screen = VIEW.screen(shown, PLAIN)
    assert f"flag on {shown.revealed_flag(1)}" in screen
    assert "▾Flag" in row(screen, shown.revealed_flag(1)[0])


def test_a_piece_that_carries_a_flag_is_marked():
    begin = State.start(BOOK[0], BOOK[5], Rules(flag="carried"))
    games = (played(begin, 400, seed, attacks=0.9) for seed in range(100))
    carried = next(game for game in games if max(game.record.carriers) >= 0)
    bearer = carried.record.board.index(max(carried.record.carriers))
    for eyes in (None, 0, 1):
        lines = VIEW.screen(carried, Look(eyes, False)).split("\n")
        assert [line[1] for line in lines if "⚑" in line] == ["ABCDEFGHIJKL"[bearer // 5]]
        assert all(width_of(line) <= 80 for line in lines)


def test_what_was_lost_is_named_and_by_ranks_when_there_is_much():
    assert counted([8, 8, 0], 40) == "Marshal, 2 Engineer"
    assert counted([8, 8, 0, 10], 15) == "9 1×2 Bomb"
    assert counted([8, 8, 0, 10], 15, chinese=True) == "9 1×2 炸弹"


def test_a_hint_is_one_move_or_the_best_of_many():
    assert VIEW.screen(START_OF_BOOK, replace(PLAIN, hints={"G2F2": 1.0})).endswith("\n hint: G2F2")
    hints = {"G2F2": 0.25, "G0F0": -0.5}
    assert VIEW.screen(START_OF_BOOK, replace(PLAIN, hints=hints)).endswith("\n hint: G2F2 +0.25, G0F0 -0.50")


def test_while_armies_are_set_up_a_player_sees_the_own_one():
    state = State.setup().play(BOOK[0]).play("b")
    assert "Marshal" in VIEW.screen(state, PLAIN)
    assert "Marshal" not in VIEW.screen(state, Look(1, False))
    assert "8 General" in row(VIEW.screen(state, Look(1, False)), "F")
    assert "▾8 General" in row(VIEW.screen(state, Look(None, False)), "F")


# What is hidden -------------------------------------------------------------------------------------------------------


def hidden_twins(state, eyes, seed, tries=10):
    """Other games with the same public record, in which some of the enemy's pieces are others."""
    rng, twins, enemy = Stream(seed), [], 1 - eyes
    for _ in range(tries):
        letters = list(state.layouts[enemy])
        for _ in range(1 + below(rng, 3)):
            one, other = below(rng, SLOTS), below(rng, SLOTS)
            letters[one], letters[other] = letters[other], letters[one]
        layouts = [*state.layouts]
        layouts[enemy] = "".join(letters)
        try:
            twin = State.parse(" ".join(["/".join(layouts), *state.notation.split()[1:]]))
        except IllegalMove:
            continue
        if twin.record == state.record and twin.layouts != state.layouts:
            twins.append(twin)
    return twins


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from([0, 1]))
def test_the_screen_of_a_player_is_the_same_whatever_the_enemys_hidden_pieces_are(seed, moves, eyes):
    rng = Stream(seed)
    state = played(State.start(uniform_layout(Rules(), rng), uniform_layout(Rules(), rng)), moves, seed, attacks=0.3)
    looks = [
        Look(eyes, False, cursor=cursor, chosen=chosen)
        for cursor, chosen in ((None, None), (START[1 - eyes][seed % SLOTS], START[eyes][seed % SLOTS]))
    ]
    view = LuzhanqiView(chinese=seed % 2 == 0)
    for twin in hidden_twins(state, eyes, seed):
        for look in looks:
            assert view.screen(twin, look) == view.screen(state, look)
        for point in range(POINTS):
            assert in_words(twin.observation(eyes), point) == in_words(state.observation(eyes), point)


def test_the_search_for_twins_finds_some_that_look_different_with_everything_open():
    state = played(START_OF_BOOK, 20, seed=3)
    twins = hidden_twins(state, 0, 1, tries=40)
    assert len(twins) >= 5
    assert any(VIEW.screen(twin, Look(None, False)) != VIEW.screen(state, Look(None, False)) for twin in twins)


# Keys -----------------------------------------------------------------------------------------------------------------


def test_arrows_go_where_the_player_sees_them_go_and_stop_at_the_edge():
    def walked(point, keys, eyes):
        at = parse_point(point)
        for key in keys.split():
            at = VIEW.walk(START_OF_BOOK, at, key, eyes)
        return at

    assert walked("G2", "up", 0) == parse_point("F2")
    assert walked("G2", "left down", 0) == parse_point("H1")
    assert walked("F2", "up", 1) == parse_point("G2")  # north looks south
    assert walked("F2", "left down", 1) == parse_point("E3")
    assert walked("L0", "left down", 0) == parse_point("L0")
    assert walked("L0", "right up up", 1) == parse_point("L0")


def test_enter_picks_up_a_piece_and_then_says_where_it_goes():
    g2, f2, g1 = map(parse_point, ("G2", "F2", "G1"))
    assert VIEW.pick(START_OF_BOOK, None, g2) == (g2, None)
    assert VIEW.pick(START_OF_BOOK, g2, f2) == (None, "G2F2")
    assert VIEW.pick(START_OF_BOOK, g2, g2) == (None, None)  # put down again
    assert VIEW.pick(START_OF_BOOK, g2, g1) == (g1, None)  # another piece instead
    with pytest.raises(IllegalMove, match="none of your pieces stands on F2"):
        VIEW.pick(START_OF_BOOK, None, f2)
    with pytest.raises(IllegalMove, match="your landmine on K1 cannot move"):
        VIEW.pick(START_OF_BOOK, None, parse_point("K1"))
    with pytest.raises(IllegalMove, match="being set up"):
        VIEW.pick(State.setup(), None, g2)


def test_the_cursor_begins_in_the_front_row_of_whoever_is_to_move():
    assert VIEW.start(START_OF_BOOK) == parse_point("G2")
    assert VIEW.start(after("G2F2")) == parse_point("F2")
