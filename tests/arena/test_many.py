"""Many games: the same ones, whoever plays them and however many they are."""

from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from time import perf_counter

import pytest

from apprenti.agents.random import RandomAgent
from apprenti.agents.tetris.filtering import FilteringAgent
from apprenti.agents.tetris.linear import LinearAgent
from apprenti.arena.game import Played, play_game, seeds_of_game
from apprenti.arena.many import _cut, begun, compiled_player, play_many
from apprenti.games.tetris import Rules
from apprenti.games.tetris.fast.players import stop_signal
from apprenti.games.tetris.state import Tally
from tests.helpers import DELLACHERIE

GOOD = LinearAgent(DELLACHERIE)
SHORT, LONG = Rules.preset("simplified", "10x6"), Rules.preset("simplified", "10x20")
READABLE = Rules.preset("tetrisbot", "6x6")
TOO_WIDE = Rules.preset("simplified", "17x20")
"""No board for the kernel."""


def timeless(games):
    """What does not depend on the machine."""
    return [replace(game, seconds=0.0, slowest=0.0) for game in games]


@pytest.mark.parametrize(
    ("agent", "rules", "games"), [(GOOD, SHORT, 300), (RandomAgent(), READABLE, 12)], ids=["compiled", "readable"]
)
def test_one_worker_and_two_play_the_same_games(agent, rules, games):
    assert (compiled_player(agent, rules) is None) == (agent is not GOOD)
    one, two = (timeless(play_many(agent, rules, games, root=3, workers=workers)) for workers in (1, 2))
    assert one == two
    assert [game.index for game in one] == list(range(games))


@pytest.mark.parametrize(("agent", "rules"), [(GOOD, SHORT), (RandomAgent(), READABLE)], ids=["compiled", "readable"])
def test_game_i_is_the_same_whatever_the_number_of_games(agent, rules):
    many = timeless(play_many(agent, rules, 70))
    for games in (1, 2, 17):
        assert timeless(play_many(agent, rules, games)) == many[:games]
    endless = play_many(agent, rules, None)
    assert timeless(islice(endless, 25)) == many[:25]
    endless.close()


def test_games_depend_on_the_root_seed():
    one, two = (timeless(play_many(GOOD, SHORT, 5, root=root)) for root in (1, 2))
    assert all(game not in two for game in one)


def test_the_kernel_plays_the_games_of_the_readable_engine():
    agent, rules = FilteringAgent(), Rules.preset("tetrisbot", "7x6", max_pieces=40)
    fast = list(play_many(agent, rules, 4, keep_moves=40))
    slow = [play_game(agent, rules, seeds_of_game(1, i)) for i in range(4)]
    assert [(game.tally.points, game.moves, game.died) for game in fast] == [
        (game.tally.points, game.moves, game.died) for game in slow
    ]


def test_moves_are_kept_up_to_a_number():
    whole = list(play_many(GOOD, SHORT, 3, keep_moves=10_000))
    assert all(len(game.moves) == game.tally.pieces for game in whole)
    assert [game.moves for game in play_many(GOOD, SHORT, 3, keep_moves=5)] == [game.moves[:5] for game in whole]


def test_a_limit_of_pieces_cuts_long_games_and_keeps_them():
    whole = list(play_many(GOOD, SHORT, 40))
    limit = sorted(game.tally.pieces for game in whole)[20]
    cut = list(play_many(GOOD, SHORT.changed(max_pieces=limit), 40))
    assert [game.tally.pieces for game in cut] == [min(game.tally.pieces, limit) for game in whole]
    for game, uncut in zip(cut, whole, strict=True):
        assert game.died or uncut.tally.pieces >= limit
        assert game.tally == uncut.tally or game.tally.pieces == limit


@pytest.mark.parametrize("workers", [1, 2])
def test_at_the_deadline_games_under_way_are_cut_and_not_dropped(workers):
    next(play_many(GOOD, LONG.changed(max_pieces=1), 1))  # compile before the clock starts
    games = list(play_many(GOOD, LONG, None, workers=workers, deadline=perf_counter() + 0.5))
    assert games
    assert not games[0].died  # a game of millions of pieces
    assert games[0].tally.pieces > 1000
    first = next(play_many(GOOD, LONG.changed(max_pieces=games[0].tally.pieces), 1))
    assert first.tally == games[0].tally  # it is a beginning of the very game


def test_finished_games_are_yielded_in_order_up_to_the_deadline():
    whole = timeless(play_many(GOOD, SHORT, 200))
    games = timeless(play_many(GOOD, SHORT, 200, workers=2, deadline=perf_counter() + 0.01))
    assert [game.index for game in games] == sorted({game.index for game in games})
    for game in games:
        assert game == whole[game.index] if game.died else game.tally.pieces <= whole[game.index].tally.pieces


def future(*games):
    """A chunk of games that has been played."""
    done = Future()
    done.set_running_or_notify_cancel()
    done.set_result(list(games))
    return done


def test_only_games_that_never_began_are_left_out():
    def game(index, pieces, died):
        return Played(Tally(pieces=pieces), "", died, index=index)

    stop, not_begun = stop_signal(), Future()
    chunks = [
        future(game(0, 50, True), game(1, 9000, False), game(2, 0, False)),
        future(game(3, 70, True), game(4, 8000, False), game(5, 0, False)),
        not_begun,
    ]
    kept = list(begun(_cut(deque(chunks), stop)))
    assert [(each.index, each.died) for each in kept] == [(0, True), (1, False), (3, True), (4, False)]
    assert stop[0] == 1
    assert not_begun.cancelled()


def test_readable_games_that_would_never_end_do_not_hold_the_deadline_up():
    assert compiled_player(GOOD, TOO_WIDE) is None
    assert list(play_many(GOOD, TOO_WIDE, None, workers=2, deadline=perf_counter())) == []
