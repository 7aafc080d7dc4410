"""A person's army: by letters, from the book, drawn or by hand, with keys or with lines."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.cli.main import main
from apprenti.core.errors import ApprentiError, IllegalMove
from apprenti.core.seeds import Stream, below
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.board import SLOTS, START, parse_point
from apprenti.games.luzhanqi.cli.setup import Army, Draft, by_hand
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.layout import BOOK, check, uniform_layout
from apprenti.games.luzhanqi.pieces import TYPE_OF
from apprenti.lab.session import Quit

RULES = Rules()
FIRST = "gchdg eaf kbkd cie ijgfi jljhh"
"""
 G  [ 3 Captain ]══[7 Maj. Gen.]══[ 2 Lieut.  ]══[6 Brigadier]══[ 3 Captain ]
 H  [ 5 Colonel ]───────( )───────[ 9 Marshal ]───────( )───────[  4 Major  ]
 I  [   Bomb    ]──[ 8 General ]───────( )───────[   Bomb    ]──[6 Brigadier]
 J  [7 Maj. Gen.]───────( )───────[1 Engineer ]───────( )───────[ 5 Colonel ]
 K  [1 Engineer ]══[   Mine    ]══[ 3 Captain ]══[  4 Major  ]══[1 Engineer ]
 L  [   Mine    ]──{   Flag    }──[   Mine    ]──{ 2 Lieut.  }──[ 2 Lieut.  ]
"""
DOWN, UP, LEFT, RIGHT = "\x1b[B", "\x1b[A", "\x1b[D", "\x1b[C"


def draft():
    return Draft(RULES, Stream(1), FIRST.replace(" ", ""))


def swapped(*points):
    """The first layout of the book after these exchanges."""
    made = draft()
    for one, other in zip(points[::2], points[1::2], strict=True):
        made.swap(parse_point(one), parse_point(other))
    return made.spaced


# Words ----------------------------------------------------------------------------------------------------------------


def test_an_army_comes_from_the_book_from_chance_or_from_letters():
    assert Army("", RULES).arrange(RULES, Stream(3)) in BOOK
    assert Army("book", RULES).arrange(RULES, Stream(3)) == Army("", RULES).arrange(RULES, Stream(3))
    assert Army("random", RULES).arrange(RULES, Stream(3)) == uniform_layout(RULES, Stream(3))
    for text in (FIRST, FIRST.upper()):
        assert Army(text, RULES).arrange(RULES, Stream(3)) == FIRST.replace(" ", "")


def test_an_army_for_the_mini_board_has_dots():
    mini = Rules.preset("mini")
    layout = uniform_layout(mini, Stream(3))
    assert Army(layout, mini).arrange(mini, Stream(1)) == layout
    with pytest.raises(ApprentiError, match="an army has 1 of b"):
        Army(layout, RULES)
    draft = Draft(mini, Stream(3))
    with pytest.raises(ApprentiError, match="H2 is not part of the mini board"):
        draft.swap(parse_point("G0"), parse_point("H2"))
    assert not draft.partners(parse_point("G0")) & mini.blocked


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bok", "--layout is book, random, hand or 25 letters a to l, front row first, not 'bok'"),
        ("a" * 24, "25 letters"),
        ("a" * 25, "an army has 1 of a .field marshal., but this layout has 25"),
        ("lchdgeafkbkdcieijgfijgjhh", "a flag begins in a headquarters, not on point 1 of the layout"),
        ("jchdgeafkbkdcieijgfigljhh", "a landmine begins in the two back rows"),
        ("kchdgeafgbkdcieijgfijljhh", "a bomb begins behind the front row"),
        ("zchdgeafkbkdcieijgfijljhh", "a layout is 25 letters a to l"),
        ("9chdgeafkbkdcieijgfijljhh", "25 letters"),
    ],
)
def test_a_layout_that_is_none_is_refused_at_once_with_the_reason(text, why):
    with pytest.raises(ApprentiError, match=why):
        Army(text, RULES)


# The draft ------------------------------------------------------------------------------------------------------------


def test_two_points_are_exchanged():
    assert swapped() == FIRST
    assert swapped("G0", "H2") == "achdg egf kbkd cie ijgfi jljhh"
    assert swapped("L1", "L3") == "gchdg eaf kbkd cie ijgfi jhjlh"
    assert swapped("G0", "H2", "H2", "G0") == FIRST


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("L1", "K2", "a flag begins in a headquarters, not on K2"),
        ("K2", "L1", "a flag begins in a headquarters, not on K2"),
        ("L0", "J0", "a landmine begins in the two back rows, not on J0"),
        ("I0", "G4", "a bomb begins behind the front row, not on G4"),
        ("H1", "G4", "H1 is a camp"),
        ("G4", "F4", "F4 is not on your side, which is rows G to L"),
    ],
)
def test_an_exchange_that_is_not_legal_is_explained_and_changes_nothing(one, other, why):
    made = draft()
    with pytest.raises(IllegalMove, match=why):
        made.swap(parse_point(one), parse_point(other))
    assert made.spaced == FIRST


@given(st.integers(0, 10**6))
def test_a_draft_is_legal_whatever_is_done_to_it_and_partners_are_the_legal_exchanges(seed):
    rng = Stream(seed)
    made = Draft(RULES, rng)
    for _ in range(10):
        made.obey(("random", "book", made.layout)[below(rng, 3)])
        one, other = START[0][below(rng, SLOTS)], START[0][below(rng, SLOTS)]
        allowed = other in made.partners(one) or one == other
        before = made.layout
        try:
            made.swap(one, other)
            assert allowed
        except IllegalMove:
            assert not allowed
            assert made.layout == before
        assert check(made.layout, RULES)


def test_the_book_is_shown_page_by_page_and_begins_again():
    made, pages = draft(), []
    for _ in range(len(BOOK) + 1):
        made.obey("book")
        pages.append(made.layout)
    assert pages == [*BOOK, BOOK[0]]


def test_an_army_that_is_not_the_usual_one_has_no_book():
    rules = Rules(army="111000111111")
    made = Draft(rules, Stream(1))
    with pytest.raises(IllegalMove, match="no layouts for this army"):
        made.obey("book")
    assert check(made.layout, rules)


# Lines ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def dictated(monkeypatch, capsys):
    """The army somebody dictates: layout, standard output, standard error."""

    def run(text, **more):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        layout = by_hand(RULES, Stream(1), **more)
        return layout, *capsys.readouterr()

    return run


def test_an_army_is_set_up_with_lines(dictated):
    layout, out, err = dictated(f"{FIRST}\nswap g0 H2\n\ndone\n")
    assert (layout, err) == ("achdgegfkbkdcieijgfijljhh", "")
    assert out.count("set up your army") == 3  # at first, and after each change
    assert "[ 9 Marshal ]══[7 Maj. Gen.]" in out
    assert "layout achdg egf kbkd cie ijgfi jljhh" in out
    assert dictated("random\nd\n")[0] not in BOOK
    assert dictated("book\nbook\ndone\n")[0] == BOOK[1]
    assert "9 司令" in dictated("done\n", chinese=True)[1]


def test_north_sets_up_on_the_points_that_it_will_have_in_the_game(dictated):
    """
             4              3              2              1              0
    F  [ 3 Captain ]══[7 Maj. Gen.]══[ 2 Lieut.  ]══[6 Brigadier]══[ 3 Captain ]
    E  [ 5 Colonel ]───────( )───────[ 9 Marshal ]───────( )───────[  4 Major  ]
    """
    layout, out, err = dictated(f"{FIRST}\nswap F4 E2\nswap G0 F4\nswap F4\ndone\n", player=1)
    assert layout == "achdgegfkbkdcieijgfijljhh"
    assert [line[1] for line in out.splitlines() if line[3:5] in (" [", "[ ")][:6] == list("FEDCBA")
    assert "G0 is not on your side, which is rows A to F" in err
    assert "say swap F4 E2, book" in err
    state = GAME.start(RULES, [Stream(1), Stream(2)], [None, Army(layout, RULES)])
    assert state.observation(1).own_types[0] == TYPE_OF["a"] and state.record.board[parse_point("F4")] == SLOTS


def test_help_tells_the_rules_while_an_army_is_set_up(dictated):
    layout, out, err = dictated("help\n?\ndone\n")
    assert (layout in BOOK, err) == (True, "")
    assert out.count("An Engineer clears a Mine") == 2
    assert "Mines in the two back rows, Bombs not in front." in out


def test_wrong_lines_are_explained_and_asked_for_again(dictated):
    wrong = "swap L1 K2\nswap G0\nswap G0 Z9\nhello\n" + "a" * 25 + "\nbook please\n"
    layout, _, err = dictated(f"{FIRST}\n{wrong}done\n")
    assert layout == FIRST.replace(" ", "")
    said = err.splitlines()
    assert len(said) == 6
    assert all(line.startswith("apprenti: ") for line in said)
    assert "a flag begins in a headquarters, not on K2" in said[0]
    assert "say swap G0 H2, book, random, 25 letters, done or quit, not 'swap G0'" in said[1]
    assert "a point is a row A … L" in said[2]


@pytest.mark.parametrize("text", ["", "random\n", "quit\n", "swap G0 H2\nq\n"])
def test_whoever_leaves_plays_no_game(dictated, text):
    with pytest.raises(Quit):
        dictated(text)


# Keys -----------------------------------------------------------------------------------------------------------------


def layout_on(screen):
    """The layout that the screen of the editor shows."""
    line = next((line for line in screen.split("\n") if line.startswith("layout ")), "")
    return line.removeprefix("layout ")


def test_an_army_is_set_up_with_keys_and_played(begun, anybody):
    game = begun("play", "luzhanqi", "--against", anybody, "--layout", "hand", "--seed", "1")
    game.wait("Press d to begin with it")
    game.press("b")
    game.wait(lambda screen: layout_on(screen) == FIRST)
    game.press(DOWN + "\n")  # picks up the marshal on H2
    screen = game.wait("▪ 3 Captain ▪")
    assert "▸ 9 Marshal ◂" in screen
    assert "{   Flag    }" in screen  # the flag cannot be exchanged with it
    game.press(UP + LEFT + LEFT + "\n")
    game.wait(lambda screen: layout_on(screen) == "achdg egf kbkd cie ijgfi jljhh")
    game.press("d")
    assert "[ 9 Marshal ]══[7 Maj. Gen.]" in game.wait("quiet 0 of 31 (31 loses)")
    game.press("q")
    assert game.finish() == 0
    assert game.is_restored


def test_north_sets_up_with_keys_that_go_as_they_are_seen_and_may_ask_for_the_rules(begun, anybody):
    game = begun("play", "luzhanqi", "--against", anybody, "--layout", "hand", "--seed", "1", "--first", "agent")
    screen = game.wait("Press d to begin with it")
    assert "\n F  " in screen and "\n A  " in screen and "\n G  " not in screen
    game.press("?")
    game.wait("An Engineer clears a Mine")
    game.press("x" + DOWN + LEFT + "\n")  # below and left of F2 is E3, a camp
    game.wait("E3 is a camp, and camps are empty at the beginning.")
    game.press(UP + UP + RIGHT + "\n")  # F is the front row
    game.wait("▪ 9 Marshal ▪")
    game.press("d")
    assert "\n F  " in game.wait("quiet 0 of 31 (31 loses)")
    game.press("q")
    assert game.finish() == 0


def test_setting_up_is_offered_at_a_terminal_when_no_layout_is_named(begun, anybody):
    game = begun("play", "luzhanqi", "--against", anybody, "--seed", "1")
    offered = layout_on(game.wait("Press d to begin with it"))
    game.press("d")
    game.wait("quiet 0 of 31 (31 loses)")
    assert check("".join(offered.split()), Rules())
    game.press("q")
    assert game.finish() == 0


def test_the_editor_explains_what_cannot_be_and_stays_on_the_own_side(terminal, anybody):
    game = terminal("play", "luzhanqi", "--against", anybody, "--layout", "hand", "--seed", "1", rows=18)
    game.wait("d begin the game")
    game.press("b")
    game.wait(lambda screen: layout_on(screen) == FIRST)
    game.press(UP + UP + LEFT + DOWN + "\n")  # H1
    game.wait("H1 is a camp, and camps are empty at the beginning.")
    game.press(DOWN * 9 + "\n" + UP + RIGHT + "\n")  # the flag on L1 to K2
    game.wait("a flag begins in a headquarters, not on K2.")
    game.press("rx")
    game.wait(lambda screen: layout_on(screen) not in ("", FIRST))
    game.press("q")
    assert game.finish() == 0
    assert "Traceback" not in game.output


def test_a_wrong_layout_is_one_sentence_and_exit_code_2(capsys, anybody):
    assert main(["play", "luzhanqi", "--against", anybody, "--layout", "nonsense"]) == 2
    assert capsys.readouterr().err.startswith("apprenti: --layout is book, random, hand or 25 letters")
