"""The players of Luzhanqi: legal, repeatable, blind to what they may not know, and each better than the one before."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.players import (
    DISTANCE,
    AttackingPlayer,
    ExpectedValuePlayer,
    GreedyPlayer,
    RandomPlayer,
    attack_values,
    can_win,
    initial_odds,
)
from apprenti.games.luzhanqi.agents.search import IsmctsPlayer, MonteCarloPlayer, attack_values_by_set
from apprenti.games.luzhanqi.board import parse_point
from apprenti.games.luzhanqi.fast.beliefs import Beliefs
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.layout import BOOK, book_layout, check
from apprenti.games.luzhanqi.pieces import LETTERS, type_set
from apprenti.games.luzhanqi.rules import PRESETS
from tests.games.luzhanqi.games import SMALL_ARMY, random_game
from tests.games.luzhanqi.test_state import army, meet, played

PLAYERS = {
    "luzhanqi-random": RandomPlayer(),
    "luzhanqi-attacks": AttackingPlayer(),
    "luzhanqi-greedy": GreedyPlayer(),
    "luzhanqi-expected": ExpectedValuePlayer(),
    "luzhanqi-monte-carlo": MonteCarloPlayer(worlds=4),
    "luzhanqi-ismcts": IsmctsPlayer(passes=40),
}
every_player = pytest.mark.parametrize("kind", PLAYERS)


@every_player
def test_it_is_built_from_its_kind_and_options(kind):
    player = PLAYERS[kind]
    assert player.describe()[0] == kind
    assert build(kind, json.loads(json.dumps(player.describe()[1]))) == player


@every_player
def test_it_sets_up_a_legal_army_at_once_and_piece_by_piece(kind):
    player = PLAYERS[kind]
    for rules in (Rules(), Rules(army=SMALL_ARMY)):
        check(player.arrange(rules, Stream(1)), rules)
        state, rng = State.setup(rules), Stream(2)
        while state.record is None:
            state = state.play(player.choose(state.observation(state.to_move), state.legal_moves(), rng))


@pytest.mark.parametrize("kind", ["luzhanqi-expected", "luzhanqi-monte-carlo"])
def test_it_has_thousands_of_layouts_and_their_mirrors(kind):
    drawn = [PLAYERS[kind].arrange(Rules(), Stream(number)) for number in range(1500)]
    assert len(set(drawn)) > 1400
    left = np.mean([layout[21] == "l" for layout in drawn])
    assert 0.45 < left < 0.55, "the flag is as often in either headquarters"
    assert replace(PLAYERS[kind], layouts="book").arrange(Rules(), Stream(1)) in BOOK


@every_player
@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules(flag="carried", headquarters="free", army=SMALL_ARMY)])
def test_it_chooses_a_legal_move_and_the_same_again(kind, rules):
    player = PLAYERS[kind]
    for state in list(random_game(rules, 4, 90))[::30]:
        if not state.outcome:
            seen, legal = state.observation(state.to_move), state.legal_moves()
            chosen = {player.choose(seen, legal, Stream(3)) for _ in range(2)}
            assert len(chosen) == 1
            assert chosen <= set(legal)
            assert player.choose(seen, legal[-1:], Stream(1)) == legal[-1]


@every_player
def test_it_does_not_know_the_enemys_layout(kind):
    """With another layout under which everything was seen the same, it makes the same move."""
    for state in list(random_game(Rules(), 9, 60))[::20]:
        player = state.to_move
        row = Beliefs.of(state.observation(player)).sample(Stream(5), 1)[0]
        layouts = list(state.layouts)
        layouts[1 - player] = "".join(LETTERS[kind_] for kind_ in row)
        other = State.parse(" ".join(["/".join(layouts), *state.notation.split()[1:]]))
        assert other.layouts != state.layouts
        moves = {PLAYERS[kind].choose(s.observation(player), s.legal_moves(), Stream(2)) for s in (state, other)}
        assert len(moves) == 1


def match(first, second, games, seed=1):
    """Points of the first player, both sides of each pair of layouts."""
    points = 0.0
    for number in range(games):
        rng = Stream.named(seed, number // 2)
        state = State.start(book_layout(Rules(), rng), book_layout(Rules(), rng))
        players = (first, second) if number % 2 == 0 else (second, first)
        chances = [Stream.named(seed, number, side) for side in (0, 1)]
        while not state.outcome:
            side = state.to_move
            state = state.play(players[side].choose(state.observation(side), state.legal_moves(), chances[side]))
        winner = state.outcome.winner
        points += 0.5 if winner is None else float(players[winner] is first)
    return points


def test_each_rung_beats_the_one_below():
    """Few games, seeds fixed; the strengths are measured in tournaments."""
    random, attacks, greedy, expected = (
        PLAYERS[f"luzhanqi-{name}"] for name in ("random", "attacks", "greedy", "expected")
    )
    assert match(attacks, random, 8) >= 6
    assert match(greedy, attacks, 12) >= 7
    assert match(expected, greedy, 12) >= 7
    assert match(MonteCarloPlayer(worlds=16), expected, 6) >= 4


def test_all_but_random_take_a_known_flag():
    """South's bomb took north's marshal, so the flag on A3 is public; the general stands beside it."""
    south = army(H0="k", G1="b", K0="a", L1="l")
    north = army(G4="a", K4="b", H4="k", L1="l")
    state = meet(south, north)
    state = played(state, "H0F0", "B0C0", "G1G2", "C0D0", "G2F2", "D0C0", "F2F3", "C0D0", "F3F4", "D0C0", "F4B4")
    state = played(state, "C0D0", "B4B3", "D0C0")
    assert state.revealed_flag(1) == "A3"
    for kind in ("luzhanqi-greedy", "luzhanqi-expected", "luzhanqi-monte-carlo", "luzhanqi-ismcts"):
        seen = state.observation(0)
        assert PLAYERS[kind].choose(seen, state.legal_moves(), Stream(1)) == "B3A3"


def test_nobody_who_looks_lets_the_clock_run_out():
    south, north = army(G0="a", K0="i", L1="l"), army(G4="a", K0="i", L1="l")
    state = played(meet(south, north), *(["G0G1", "F0F1", "G1G0", "F1F0"] * 8)[:30])
    assert state.record.quiet == 30
    for kind in ("luzhanqi-greedy", "luzhanqi-expected", "luzhanqi-monte-carlo", "luzhanqi-ismcts"):
        move = PLAYERS[kind].choose(state.observation(0), state.legal_moves(), Stream(1))
        assert state.play(move).last_result != "moved"


def test_attacks_that_can_win():
    """A captain falls to a colonel on F0: the engineer, which is weaker, cannot win there, another colonel can."""
    south, north = (
        army(G0="g", G1="i", K0="e", K4="k", L1="l", L3="j"),
        army(G4="e", K0="g", K4="i", H2="k", L1="l", L3="j"),
    )
    state = meet(south, north)
    assert can_win(state.observation(0), "G0F0")
    assert not can_win(state.observation(0), "G0H0")  # no attack
    state = played(state, "G0F0", "B4C4")
    seen = state.observation(0)
    assert not can_win(seen, "G1F0")
    assert can_win(seen, "K0F0")
    assert can_win(seen, "G1B0")  # an engineer need not fear a mine
    assert not can_win(seen, "K0B0")  # a colonel has to: who stands there has not moved


def test_the_worth_of_a_fight():
    table = attack_values(Rules())
    assert table[0, 1] > 0 > table[1, 0]
    assert table[8, 9] > 0 > table[0, 9]  # the engineer clears the mine the marshal dies on
    assert table[0, 0] == table[5, 5] == 0
    assert table[0, 11] == table.max()
    by_set = attack_values_by_set(Rules())
    for kind in range(9):
        np.testing.assert_allclose(by_set[1 << 9, kind], table[kind, 9])
    assert initial_odds()[[11, 9, 10]].sum() / initial_odds().sum() == pytest.approx(1 / 2 + 1 / 6 + 1 / 24)
    front = type_set("abcdefghi")
    assert by_set[front, 0] > by_set[front, 4] > by_set[front, 7]


def test_distances_are_counted_in_moves():
    far, mini, _ = DISTANCE
    assert far[parse_point("B0"), parse_point("K0")] == 1  # one slide
    assert (mini >= far).all()
    assert far[parse_point("C1"), parse_point("E1")] == 2  # over D1, or D2
    assert mini[parse_point("C1"), parse_point("C3")] == 2  # over B2
    assert mini[parse_point("C1"), parse_point("D1")] == 99  # which is no part of it
    assert far[parse_point("B0"), parse_point("A1")] == 2
    assert (far == far.T).all()
    assert far.max() < 9


def test_time_can_be_the_budget():
    state = State.start(BOOK[0], BOOK[1])
    player = MonteCarloPlayer(worlds=2, seconds=0.05)
    assert player.choose(state.observation(0), state.legal_moves(), Stream(1)) in state.legal_moves()


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("luzhanqi-random", {"layouts": "chess"}),
        ("luzhanqi-monte-carlo", {"worlds": 0}),
        ("luzhanqi-monte-carlo", {"depth": -1}),
        ("luzhanqi-ismcts", {"passes": 0}),
        ("luzhanqi-greedy", {"courage": 1}),
        ("luzhanqi-expected", {"fear": "much"}),
        ("luzhanqi-expected", {"fear": float("nan")}),
        ("luzhanqi-ismcts", {"passes": 2.5}),
        ("luzhanqi-monte-carlo", {"worlds": True}),
        ("luzhanqi-monte-carlo", {"prior": 2.0}),
        ("luzhanqi-expected", {"prior": -0.5}),
        ("luzhanqi-expected", {"known": "abc"}),
    ],
)
def test_impossible_options_are_refused_with_a_sentence(kind, config):
    with pytest.raises(ApprentiError) as refused:
        build(kind, config)
    assert str(refused.value).endswith((".", "?"))


def test_the_arena_finds_their_layouts():
    state = GAME.start(Rules(), [Stream(1), Stream(2)], [ExpectedValuePlayer(layouts="book"), RandomPlayer()])
    assert state.layouts[0] in BOOK


def test_tetris_does_not_load_them():
    code = "import sys, apprenti.agents.description; sys.exit(any('luzhanqi' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
