"""The readable game: moves, results, what is revealed, and how it ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError, BadNotation, IllegalMove
from apprenti.core.protocols import Outcome
from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import START, parse_point
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.layout import uniform_layout
from apprenti.games.luzhanqi.moves import MOVED
from apprenti.games.luzhanqi.play import End
from tests.games.luzhanqi.games import PERFT, any_rules, begin, random_game

FIRST, SECOND = "diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld"


def army(**pieces):
    """A reduced army: letters by the names of their points in the south's half, and the rules that have it."""
    layout = ["."] * 25
    for name, letter in pieces.items():
        layout[START[0].index(parse_point(name))] = letter
    return "".join(layout)


def meet(south, north, **rules):
    """A game of reduced armies, each given as army(…) in the owner's view; both have the same number of each type."""
    counts = "".join(str(south.count(letter)) for letter in "abcdefghijkl")
    return State.start(south, north, Rules(army=counts, **rules))


def played(state, *moves):
    for move in moves:
        state = state.play(move)
    return state


def perft(state, depth):
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves()) if depth else 1


@pytest.mark.parametrize(("name", "layouts", "counts"), PERFT)
def test_perft(name, layouts, counts):
    state = State.start(*layouts, name)
    assert [perft(state, depth) for depth in (1, 2)] == counts[:2]


def test_the_first_position():
    state = State.start(FIRST, SECOND)
    assert state.to_move == 0
    assert state.last_result is None
    assert state.outcome is None
    assert state.revealed_flag(0) is state.revealed_flag(1) is None
    assert state.placement.split("/")[0] == "dlhhi"  # north's back row, turned by half
    assert state.placement.split("/")[6] == "DIAHC"


def test_a_bad_layout_raises_with_the_reason():
    with pytest.raises(IllegalMove, match="flag"):
        State.start(FIRST.replace("l", "x").replace("h", "l", 1).replace("x", "h"), SECOND)
    with pytest.raises(BadNotation, match="25 letters"):
        State.start(FIRST, "abc")
    with pytest.raises(ApprentiError, match="set of rules"):
        State.start(FIRST, SECOND, "unknown")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("H1G1", "nothing stands on H1"),
        ("F2F1", "the opponent's"),
        ("L0K0", "a landmine does not move"),
        ("L1L2", "a flag does not move"),
        ("L3K3", "a piece in headquarters does not move"),
        ("G2G3", "an own piece stands on G3"),
        ("G1F1", "a mountain lies between G1 and F1"),
        ("G1F2", "no free railway"),
        ("G2D2", "no road links"),
        ("G2G2", "no pass"),
        ("G2", "two points"),
    ],
)
def test_a_bad_move_raises_with_the_reason(move, reason):
    with pytest.raises(ApprentiError, match=reason):
        State.start(FIRST, SECOND).play(move)


def test_an_occupied_camp_is_closed():
    south, north = army(G1="a", K0="i", L1="l"), army(G4="a", K0="i", L1="l")
    state = played(meet(south, north), "G1G2", "F0E1", "G2F2", "B4B3")
    assert "F2E1" not in state.legal_moves()
    with pytest.raises(IllegalMove, match="cannot be attacked"):
        state.play("F2E1")
    assert "F2E1" in played(state, "K0K1", "E1E2").legal_moves()


def test_slides_go_through_empty_posts_up_to_the_first_enemy_and_engineers_turn():
    south = army(G0="i", G4="a", L1="l")
    state = meet(south, south)
    marshal = {move[2:] for move in state.legal_moves() if move.startswith("G4")}
    assert marshal == {
        "G1", "G2", "G3",  # along the row, up to the own engineer
        "F4", "E4", "D4", "C4", "B4",  # up the column, over the bridge; F4 is north's engineer
        "H4", "I4", "J4", "K4", "H3",
    } - {"E4", "D4", "C4", "B4"}  # fmt: skip
    engineer = {move[2:] for move in state.legal_moves() if move.startswith("G0")}
    assert {"F2", "F1", "F3", "F4", "F0", "K2", "H1", "H0"} <= engineer  # F0 and F4 are attacks
    assert "G4" not in engineer
    assert "E0" not in engineer  # not through the marshal on F0 … nor around it


def test_results_and_the_revealed_flag():
    south = army(G0="a", G2="c", H0="k", L1="l", L0="j", K4="i")
    north = army(G4="c", G2="a", G0="i", L3="l", L0="j", K4="k")
    state = meet(south, north).play("G0F0")
    assert state.last_result == "won"  # the marshal against a major general
    state = played(state, "B0C0", "G2F2")
    assert state.last_result == "died"  # a major general ran into the marshal
    state = played(state, "C0D0", "H0G0", "D0C0", "G0G2")
    assert state.last_result == "moved"
    assert state.revealed_flag(1) is None
    state = played(state, "C0D0", "G2F2")
    assert state.last_result == "both_died"  # a bomb
    assert state.revealed_flag(1) == "A1"  # the marshal is gone: north's flag, at L3 in its own view, is public
    assert state.revealed_flag(0) is None
    for player in (0, 1):
        assert state.observation(player).record.flags[1] == parse_point("A1")


def test_without_the_rule_nothing_is_revealed():
    south, north = army(H2="k", K2="a", L1="l"), army(G2="a", H2="k", L1="l")
    assert played(meet(south, north), "H2G2", "F2G2").revealed_flag(1) == "A3"
    assert played(meet(south, north, reveal_flag=False), "H2G2", "F2G2").revealed_flag(1) is None


def test_taking_the_flag_wins():
    south = army(G0="a", L1="l")
    state = played(meet(south, south), "G0F0", "F4G4", "F0B0", "G4K4", "B0B3", "K4K2", "B3A3")
    assert state.outcome == Outcome.between_two(End.FLAG_TAKEN, 0)
    assert state.legal_moves() == ()
    with pytest.raises(IllegalMove, match="over"):
        state.play("K2K3")


def test_a_bomb_takes_the_flag_or_is_lost():
    south = army(H0="k", K0="i", L1="l")
    moves = ("H0B0", "E4F4", "B0B3", "F4E4", "B3A3")
    assert played(meet(south, south), *moves).outcome == Outcome.between_two(End.FLAG_TAKEN, 0)
    state = played(meet(south, south, bomb_takes_flag=False), *moves)
    assert (state.outcome, state.last_result) == (None, "died")


def test_the_31st_quiet_move_loses_or_draws():
    south = army(G0="a", L1="l")
    quiet = ["G0G1", "F4F3", "G1G0", "F3F4"] * 8
    state = played(meet(south, south), *quiet[:30])
    assert (state.outcome, state.record.quiet) == (None, 30)
    assert state.play("G0G1" if "G0G1" in state.legal_moves() else "G1G0").outcome == Outcome.between_two(End.QUIET, 1)
    drawn = played(meet(south, south, quiet_draw=True), *quiet[:31])
    assert drawn.outcome == Outcome.between_two(End.QUIET)
    endless = played(meet(south, south, quiet_limit=0), *quiet)
    assert endless.outcome is None


def test_limits_of_moves_and_repetitions_draw():
    south = army(G0="a", L1="l")
    moves = ["G0G1", "F4F3", "G1G0", "F3F4"] * 2
    assert played(meet(south, south, max_moves=5), *moves[:5]).outcome == Outcome.between_two(End.LONG, truncated=True)
    assert played(meet(south, south, repetition=3), *moves[:7]).outcome is None
    assert played(meet(south, south, repetition=3), *moves).outcome == Outcome.between_two(End.REPEATED)


def test_who_cannot_move_loses_and_if_nobody_can_it_is_a_draw():
    south, north = army(H0="k", L0="j", L1="l"), army(H4="k", L0="j", L1="l")
    assert meet(south, north).play("H0E0").outcome == Outcome.between_two(End.NO_MOVE)  # both bombs are gone
    south, north = army(G0="a", L3="i", L1="l"), army(G4="i", L3="a", L1="l")
    assert meet(south, north).play("G0F0").outcome == Outcome.between_two(End.NO_MOVE, 0)
    alone = army(L1="l")
    assert State.start(alone, alone, Rules(army="000000000001")).outcome == Outcome.between_two(End.NO_MOVE)


def test_free_headquarters_and_bombs_that_turn():
    south = army(H0="k", L3="i", L1="l")
    assert "L3L4" in meet(south, south, headquarters="free").legal_moves()
    assert "L3L4" not in meet(south, south).legal_moves()
    assert "H0F2" in meet(south, south, bombs_turn=True).legal_moves()
    assert "H0F2" not in meet(south, south).legal_moves()


def test_a_flag_falls_only_after_the_mines():
    south = army(G0="a", G4="i", L4="j", L1="l")
    state = played(meet(south, south, flag="mines"), "G0F0", "F4E4", "F0B0", "E4F4", "B0B3", "F4E4")
    failed = state.play("B3A3")
    assert (failed.last_result, failed.outcome) == ("died", None)
    state = played(state, "G4B0", "E4F4", "B0A0")
    assert state.last_result == "won"  # the engineer clears the mine
    assert played(state, "F4E4", "B3A3").outcome == Outcome.between_two(End.FLAG_TAKEN, 0)


def test_a_flag_that_has_to_be_carried_home():
    south = army(G0="a", G2="i", L1="l")
    state = meet(south, south, flag="carried")
    state = played(state, "G0F0", "F4G4", "F0B0", "F2F1", "B0B3", "F1F2", "B3A3")
    assert state.outcome is None
    assert state.revealed_flag(1) == "A3"
    state = played(state, "F2F1", "A3B3", "F1F2", "B3B4")  # the carrier leaves the headquarters
    assert state.revealed_flag(1) == "B4"
    state = played(state, "G4G3", "B4K4", "G3G4", "K4K3", "G4G3", "K3L3")
    assert state.outcome == Outcome.between_two(End.FLAG_HOME, 0)


def test_a_carrier_that_falls_gives_the_flag_back():
    south, north = army(G0="e", G4="a", L1="l"), army(G0="a", G4="e", L1="l")
    state = played(meet(south, north, flag="carried"), "G0F0")
    assert state.last_result == "both_died"
    south, north = army(G0="e", G4="a", L1="l"), army(G0="a", G2="e", L1="l")
    state = played(meet(south, north, flag="carried"), "G0C0", "F2F1", "C0B0", "F1F2", "B0B3", "F2F1", "B3A3")
    assert state.last_result == "won"
    state = played(state, "F1F2", "A3B3", "F2F1", "B3B4", "F4B4")  # the marshal catches the carrier
    assert state.last_result == "won"
    assert state.outcome is None
    assert state.revealed_flag(1) == "A3"
    assert state.record.carriers == (-1, -1)
    assert state.placement.startswith("...l.")


@given(any_rules(), st.integers(0, 10**6))
@settings(max_examples=15)
def test_a_position_reads_back_and_ends_within_the_bound(rules, seed):
    *_, state = random_game(rules, seed, 150)
    assert State.parse(state.notation, rules) == state
    assert len(state.record.moves) <= 1550


def test_setting_up_is_part_of_the_game():
    state = State.setup()
    assert (state.to_move, state.record, state.outcome) == (0, None, None)
    for letter in FIRST:
        assert letter in state.legal_moves()
        state = state.play(letter)
    assert state.to_move == 1
    assert state.observation(1).placed == (25, 0)
    with pytest.raises(IllegalMove, match="next can stand"):
        state.play("k")
    assert State.parse(state.notation) == state
    assert state.play(SECOND) == State.start(FIRST, SECOND)
    with pytest.raises(IllegalMove, match="next can stand"):
        State.setup().play("j")
    with pytest.raises(BadNotation):
        State.parse("abc")


def test_who_arranges_sets_up_and_an_opening_is_two_layouts():
    rules = GAME.rules(rules="western")

    class Arranges:
        def arrange(self, rules, rng):
            return uniform_layout(rules, rng)

    state = GAME.start(rules, [Stream(1), Stream(2)], [Arranges(), object()])
    assert state.layouts[0] == uniform_layout(rules, Stream(1))
    with pytest.raises(BadNotation, match="two layouts"):
        GAME.reopen(rules, "abc")


def test_who_attacked_last_wins_a_game_that_ends_by_the_quiet_limit():
    """The limit is odd: the other one makes the first quiet move, and so the last."""
    ends = 0
    for seed in range(15):
        rng = Stream(seed)
        state = begin(Rules(), rng)
        while not state.outcome:
            state = state.play(pick(rng, state.legal_moves()))
        attacks = [number for number, move in enumerate(state.record.moves) if move.result != MOVED]
        if state.outcome.reason is End.QUIET and attacks:
            assert state.outcome.winner == attacks[-1] % 2
            ends += 1
    assert ends > 5
