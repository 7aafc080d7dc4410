"""An agent that speaks the engine protocol knows what it was told, on either side, and refuses nonsense."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.agents.base import RandomAgent
from apprenti.core.errors import BadNotation, BadRules
from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.engine import protocol
from apprenti.games.luzhanqi.agents.engine.protocol import Go, Result
from apprenti.games.luzhanqi.agents.engine.serve import Engine, hurried
from apprenti.games.luzhanqi.board import move_name, parse_move
from apprenti.games.luzhanqi.layout import BOOK


class Eager:
    """Attacks whenever it can, and remembers what it was shown."""

    layout = BOOK[0]

    def __init__(self):
        self.seen = None

    def arrange(self, rules, rng):
        return self.layout

    def choose(self, observation, legal, rng):
        self.seen = observation
        fights = [move for move in legal if observation.record.board[parse_move(move)[1]] >= 0]
        return pick(rng, fights or legal)


def engine_after(*lines, first=0, agent=None):
    """An engine after some orders, and its answer to the last."""
    engine = Engine("eager", agent or Eager(), Rules())
    answer = engine.obey(f"START {first} 1800 31")
    for line in lines:
        answer = engine.obey(line)
    return engine, answer


def test_it_says_its_name_sets_up_and_moves():
    engine = Engine("eager", Eager(), Rules())
    assert engine.obey("INFO 1.0\n") == engine.obey("INFORMATION 1.0\r\n") == "NAME eager"
    assert engine.obey("START 0 1800 31") == f"ARRAY {BOOK[0]}"
    answer = engine.obey("GO 0000 0 00")
    assert answer.startswith("BESTMOVE ")
    assert answer.split()[1] in State.start(BOOK[0], BOOK[1]).legal_moves()


def test_who_has_no_way_to_set_up_takes_a_layout_of_the_book():
    engine = Engine("any", RandomAgent(), Rules())
    assert engine.obey("START 0 1800 31").split()[1] in BOOK


def test_start_says_how_many_quiet_moves_end_a_game():
    engine, _ = engine_after()
    engine.obey("START 0 1800 40")
    assert engine.side.rules.quiet_limit == 40


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_two_engines_know_at_every_move_what_the_game_would_tell_them(seed):
    rng = Stream(seed)
    layouts = [pick(rng, BOOK), pick(rng, BOOK)]
    engines = [Engine("eager", Eager(), Rules(), seed=seed + side) for side in (0, 1)]
    for side, engine in enumerate(engines):
        engine.agent.layout = layouts[side]
        engine.obey(f"START {side} 1800 31")
    state, last = State.start(*layouts), None
    while not state.outcome:
        side = state.to_move
        flag = state.record.flags[1 - side]
        go = Go(last and last[:2], last.result if last else 0, flag)
        answer = engines[side].obey(protocol.write_order(go, side))
        assert engines[side].agent.seen == state.observation(side)
        origin, target = protocol.read_move(answer.removeprefix("BESTMOVE "), side)
        state = state.play(move_name(origin, target))  # legal, or it raises
        last = state.record.moves[-1]
        told_back = Result(last.result, state.record.flags[1 - side])
        assert engines[side].obey(protocol.write_order(told_back, side)) is None


def test_the_second_player_speaks_of_its_own_half_as_the_lower_one():
    engine, answer = engine_after(first=1)
    assert answer == f"ARRAY {BOOK[0]}"
    answer = engine.obey("GO F1E1 3 00")  # the opponent's front piece goes into a camp
    assert answer.split()[1][0] in "GHIJKL"
    assert engine.side.record.moves[0][:2] == parse_move("G3H3")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["GO F2G2 3 00"], "no piece of the player to move stands on F2"),
        (["RESULT 3 00"], "RESULT was told, but no move was asked for"),
        (["GO 0000 0 00", "GO F2G2 1 00"], "GO was told, but not the RESULT of the last move"),
        (["END 1", "GO 0000 0 00"], "no game has been started"),
        (["GO G2F2 1 00"], "it is not this engine's turn"),
    ],
)
def test_orders_that_make_no_sense_are_refused(lines, why):
    with pytest.raises(BadNotation, match=why):
        engine_after(*lines)


def test_a_result_that_cannot_be_is_refused():
    engine, answer = engine_after("GO 0000 0 00")
    assert answer.split()[1][2] == "F"  # it attacked
    with pytest.raises(BadNotation, match="with result 3, but a piece stands on"):
        engine.obey("RESULT 3 00")


def test_words_it_does_not_know_are_left_alone(capsys):
    engine, answer = engine_after("isready", "")
    assert answer is None
    assert "'isready' is no order of the protocol" in capsys.readouterr().err
    assert engine.obey("GO 0000 0 00")


def test_rules_that_cannot_be_told_are_refused():
    with pytest.raises(BadRules, match="engines are told results and nothing else"):
        Engine("eager", Eager(), Rules(show_fights=True))


@dataclass(frozen=True)
class Thinker:
    """Thinks by the clock."""

    seconds: float = 1.0


def test_whoever_goes_by_the_clock_is_hurried_when_time_is_short():
    assert hurried(Thinker(), 600.0).seconds == 1.0
    assert hurried(Thinker(), 30.0).seconds == 0.5
    assert 0 < hurried(Thinker(), 0.0).seconds < 0.01
    assert hurried(Thinker(0.0), 0.0).seconds == 0.0  # does not go by the clock
    eager = Eager()
    assert hurried(eager, 0.0) is eager
