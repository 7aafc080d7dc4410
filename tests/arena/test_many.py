"""Many games: the same ones, whoever plays them and however many they are."""

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from time import perf_counter

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.executors import Threads
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.arena.many import cut_short, play_many, replayed
from apprenti.core.errors import BadAgent
from apprenti.core.protocols import CommonReason, GameRecord, Outcome
from apprenti.core.seeds import pick
from apprenti.games.luzhanqi.game import GAME as LUZHANQI
from apprenti.games.luzhanqi.layout import BOOK
from apprenti.games.mnk import Rules as Board
from apprenti.games.mnk.game import MNK, TICTACTOE
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.fast.players import stop_signal
from apprenti.games.tetris.game import GAME
from tests.helpers import DELLACHERIE

GOOD = LinearAgent(DELLACHERIE)
SHORT, LONG = Rules.preset("simplified", "10x6"), Rules.preset("simplified", "10x20")
READABLE = Rules.preset("tetrisbot", "6x6")
TOO_WIDE = Rules.preset("simplified", "17x20")
"""No board for the kernel."""


def timeless(games):
    """What does not depend on the machine."""
    return [replace(game, seconds=(), slowest=0.0) for game in games]


def alone(agent, rules, games, *more, **options):
    """Games of one agent."""
    return play_many(GAME, rules, [agent], games, *more, **options)


def died(game):
    """Whether the rules ended a game."""
    return not game.outcome.truncated


@pytest.mark.parametrize(
    ("agent", "rules", "games"), [(GOOD, SHORT, 300), (RandomAgent(), READABLE, 12)], ids=["compiled", "readable"]
)
def test_one_worker_and_two_play_the_same_games(agent, rules, games):
    assert (GAME.fast(rules, [agent]) is None) == (agent is not GOOD)
    one, two = (timeless(alone(agent, rules, games, root=3, workers=workers)) for workers in (1, 2))
    assert one == two
    assert [game.index for game in one] == list(range(games))


@pytest.mark.parametrize(("agent", "rules"), [(GOOD, SHORT), (RandomAgent(), READABLE)], ids=["compiled", "readable"])
def test_game_i_is_the_same_whatever_the_number_of_games(agent, rules):
    many = timeless(alone(agent, rules, 70))
    for games in (1, 2, 17):
        assert timeless(alone(agent, rules, games)) == many[:games]
    endless = alone(agent, rules, None)
    assert timeless(islice(endless, 25)) == many[:25]
    endless.close()


def test_games_depend_on_the_root_seed():
    one, two = (timeless(alone(GOOD, SHORT, 5, root=root)) for root in (1, 2))
    assert all(game not in two for game in one)


def test_the_kernel_plays_the_games_of_the_readable_engine():
    agent, rules = FilteringAgent(), Rules.preset("tetrisbot", "7x6", max_pieces=40)
    fast = list(alone(agent, rules, 4, moves=40))
    slow = [play_game(GAME, rules, [agent], seeds_of_game(1, i)) for i in range(4)]
    assert [(game.measures["points"], game.moves, died(game)) for game in fast] == [
        (game.measures["points"], game.moves, died(game)) for game in slow
    ]


def test_moves_are_kept_up_to_a_number():
    whole = list(alone(GOOD, SHORT, 3, moves=10_000))
    assert all(len(game.moves) == game.measures["pieces"] for game in whole)
    assert [game.moves for game in alone(GOOD, SHORT, 3, moves=5)] == [game.moves[:5] for game in whole]


def test_a_limit_of_pieces_cuts_long_games_and_keeps_them():
    whole = list(alone(GOOD, SHORT, 40))
    limit = sorted(game.measures["pieces"] for game in whole)[20]
    cut = list(alone(GOOD, SHORT.changed(max_pieces=limit), 40))
    assert [game.measures["pieces"] for game in cut] == [min(game.measures["pieces"], limit) for game in whole]
    for game, uncut in zip(cut, whole, strict=True):
        assert died(game) or uncut.measures["pieces"] >= limit
        assert game.measures == uncut.measures or game.measures["pieces"] == limit


@pytest.mark.parametrize("workers", [1, 2])
def test_at_the_deadline_games_under_way_are_cut_and_not_dropped(workers):
    next(alone(GOOD, LONG.changed(max_pieces=1), 1))  # compile before the clock starts
    games = list(alone(GOOD, LONG, None, workers=workers, deadline=perf_counter() + 0.5))
    assert games
    assert not died(games[0])  # a game of millions of pieces
    assert games[0].measures["pieces"] > 1000
    first = next(alone(GOOD, LONG.changed(max_pieces=games[0].measures["pieces"]), 1))
    assert first.measures == games[0].measures  # it is a beginning of the very game


def test_finished_games_are_yielded_in_order_up_to_the_deadline():
    whole = timeless(alone(GOOD, SHORT, 200))
    games = timeless(alone(GOOD, SHORT, 200, workers=2, deadline=perf_counter() + 0.01))
    assert [game.index for game in games] == sorted({game.index for game in games})
    for game in games:
        same = whole[game.index]
        assert game == same if died(game) else game.measures["pieces"] <= same.measures["pieces"]


def future(*games):
    """A chunk of games that has been played."""
    done = Future()
    done.set_running_or_notify_cancel()
    done.set_result(list(games))
    return done


def test_only_games_that_never_began_are_left_out():
    def game(index, length, died):
        return GameRecord(Outcome(CommonReason.STOPPED, truncated=not died), length=length, index=index)

    stop, not_begun = stop_signal(), Future()
    chunks = [
        future(game(0, 50, True), game(1, 9000, False), game(2, 0, False)),
        future(game(3, 70, True), game(4, 8000, False), game(5, 0, False)),
        not_begun,
    ]
    kept = [
        record for record in cut_short(deque(chunks), partial(Threads(1).cut, stop)) if record.length
    ]  # as play_many does
    assert [(each.index, died(each)) for each in kept] == [(0, True), (1, False), (3, True), (4, False)]
    assert stop[0] == 1
    assert not_begun.cancelled()


def test_readable_games_that_would_never_end_do_not_hold_the_deadline_up():
    assert GAME.fast(TOO_WIDE, [GOOD]) is None
    assert list(alone(GOOD, TOO_WIDE, None, workers=2, deadline=perf_counter())) == []


# For two --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FirstFree:
    """Takes the first free cell."""

    def choose(self, observation, legal, rng):
        return legal[0]


@dataclass(frozen=True)
class Fixed:
    """Sets up the army it is told to, and moves at random."""

    layout: str

    def arrange(self, rules, rng):
        return self.layout

    def choose(self, observation, legal, rng):
        return pick(rng, legal)


TRAINING = LUZHANQI.rules(rules="training")


def test_the_two_take_turns_to_begin():
    games = list(play_many(TICTACTOE, Board(), (FirstFree(), RandomAgent()), 6))
    assert [game.index for game in games] == [0, 1, 2, 3, 4, 5]
    assert [game.first for game in games] == [0, 1, 0, 1, 0, 1]
    for game in games:  # FirstFree is on the side it should be on
        own = [int(move) for move in game.moves[game.first :: 2]]
        assert own == sorted(own)


def test_a_game_for_two_depends_on_its_seed_and_its_number_alone():
    players = RandomAgent(), RandomAgent()
    ten, four, other = (
        timeless(play_many(MNK, Board(4, 4, 3), players, games, root)) for games, root in ((10, 7), (4, 7), (10, 8))
    )
    assert ten[:4] == four
    assert [game.moves for game in ten] != [game.moves for game in other]
    assert len({game.moves for game in ten}) == 10


def test_the_number_of_workers_changes_nothing_for_two():
    players = RandomAgent(), FirstFree()
    one, two = (timeless(play_many(MNK, Board(4, 4, 3), players, 40, 3, workers)) for workers in (1, 2))
    assert one == two


def test_both_games_of_a_pair_have_the_same_opening_and_other_pairs_have_others():
    games = list(play_many(LUZHANQI, TRAINING, (RandomAgent(), RandomAgent()), 8))
    openings = [game.opening for game in games]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) == 4
    assert games[0].moves != games[1].moves  # but the luck on the way is each game's own


def test_armies_go_with_the_players_who_set_them_up():
    mine, yours = Fixed(BOOK[0]), Fixed(BOOK[2])
    games = list(play_many(LUZHANQI, TRAINING, (mine, yours), 2))
    assert [game.opening for game in games] == [f"{BOOK[0]}/{BOOK[2]}", f"{BOOK[2]}/{BOOK[0]}"]


@pytest.mark.parametrize("number", [0, 1, 3])
def test_another_number_of_players_is_refused(number):
    with pytest.raises(BadAgent, match=f"tictactoe is a game for 2, not for {number}"):
        list(play_many(TICTACTOE, Board(), [RandomAgent()] * number, 2))


@pytest.mark.parametrize(("agent", "rules"), [(GOOD, SHORT), (RandomAgent(), READABLE)], ids=["compiled", "readable"])
def test_a_game_played_once_more_has_all_its_moves(agent, rules):
    _, second = alone(agent, rules, 2, root=9)
    again = replayed(GAME, rules, [agent], 9, second)
    assert len(again.moves) == again.length == second.length
    assert again.measures == second.measures
