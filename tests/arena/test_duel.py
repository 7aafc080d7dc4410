"""Games between two: the same whoever plays them, and every opening twice with the sides exchanged."""

from dataclasses import dataclass, replace

import pytest
from apprenti.arena.duel import Duel, play_duel, play_duels, seeds_of_duel

from apprenti.agents.random import RandomMoves
from apprenti.core.errors import BadAgent, IllegalMove
from apprenti.core.seeds import pick
from apprenti.games.luzhanqi.game import GAME as LUZHANQI
from apprenti.games.mnk import Rules
from apprenti.games.mnk.game import MNK, TICTACTOE


@dataclass(frozen=True)
class FirstFree:
    """Takes the first free cell."""

    def choose(self, observation, legal, rng):
        return legal[0]


@dataclass(frozen=True)
class Cheat:
    """Plays a move that is none."""

    def choose(self, observation, legal, rng):
        return 0


@dataclass(frozen=True)
class Fixed:
    """Sets up the army it is told to, and moves at random."""

    layout: str

    def arrange(self, rules, rng):
        return self.layout

    def choose(self, observation, legal, rng):
        return pick(rng, legal)


def played(duels):
    """Games without the time they took."""
    return [replace(duel, seconds=(0.0, 0.0)) for duel in duels]


def test_the_first_player_has_the_first_move_and_everything_is_written_down():
    duel = play_duel(TICTACTOE, Rules(), (FirstFree(), FirstFree()), seeds_of_duel(1, 0))
    assert duel.moves == ("0", "1", "2", "3", "4", "5", "6")  # X has 2, 4 and 6
    assert (duel.winner, duel.reason, duel.opening) == (0, "three in a row", ".../.../... x")
    assert all(seconds > 0 for seconds in duel.seconds)


def test_whoever_watches_sees_every_position_with_the_move_that_led_to_it():
    seen = []
    duel = play_duel(
        TICTACTOE, Rules(), (FirstFree(), FirstFree()), seeds_of_duel(1, 0), lambda *what: seen.append(what)
    )
    states, moves = zip(*seen, strict=True)
    assert moves == ("", *duel.moves)
    for before, after, move in zip(states, states[1:], moves[1:], strict=False):
        assert before.play(int(move)) == after
    assert states[-1].outcome


def test_an_illegal_move_does_not_go_unnoticed():
    with pytest.raises(IllegalMove, match="cell 0 is taken"):
        play_duel(TICTACTOE, Rules(), (Cheat(), Cheat()), seeds_of_duel(1, 0))


@pytest.mark.parametrize(("first", "winner", "points"), [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1), (1, None, 0.5)])
def test_points_and_time_are_the_players_and_not_the_sides(first, winner, points):
    duel = Duel(winner, "", (), "", seconds=(1.0, 2.0), first=first)
    assert duel.points == points
    assert (duel.time_of(0), duel.time_of(1)) == ((1.0, 2.0) if first == 0 else (2.0, 1.0))


def test_the_two_take_turns_to_begin():
    duels = list(play_duels(TICTACTOE, Rules(), (FirstFree(), RandomMoves()), 6))
    assert [duel.index for duel in duels] == [0, 1, 2, 3, 4, 5]
    assert [duel.first for duel in duels] == [0, 1, 0, 1, 0, 1]
    for duel in duels:  # FirstFree is on the side it should be on
        own = [int(move) for move in duel.moves[duel.first :: 2]]
        assert own == sorted(own)


def test_a_game_depends_on_its_seed_and_its_number_alone():
    players = RandomMoves(), RandomMoves()
    ten, four, other = (
        played(play_duels(MNK, Rules(4, 4, 3), players, games, root)) for games, root in ((10, 7), (4, 7), (10, 8))
    )
    assert ten[:4] == four
    assert [duel.moves for duel in ten] != [duel.moves for duel in other]
    assert len({duel.moves for duel in ten}) == 10


def test_the_number_of_workers_changes_nothing():
    players = RandomMoves(), FirstFree()
    one, two = (played(play_duels(MNK, Rules(4, 4, 3), players, 40, 3, workers)) for workers in (1, 2))
    assert one == two


def test_both_games_of_a_pair_have_the_same_opening_and_other_pairs_have_others():
    duels = list(play_duels(LUZHANQI, LUZHANQI.rules("training"), (RandomMoves(), RandomMoves()), 8))
    openings = [duel.opening for duel in duels]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) == 4
    assert duels[0].moves != duels[1].moves  # but the luck on the way is each game's own


def test_armies_go_with_the_players_who_set_them_up():
    from apprenti.games.luzhanqi.layout import BOOK

    mine, yours = Fixed(BOOK[0]), Fixed(BOOK[2])
    duels = list(play_duels(LUZHANQI, LUZHANQI.rules("training"), (mine, yours), 2))
    assert [duel.opening for duel in duels] == [f"{BOOK[0]}/{BOOK[2]}", f"{BOOK[2]}/{BOOK[0]}"]


def test_the_seeds_of_a_pair_share_the_opening_and_nothing_else():
    (first, second), (third, fourth) = seeds_of_duel(5, 2), seeds_of_duel(5, 3)
    assert (first[0], second[0]) == (third[0], fourth[0])
    everything = {seed for index in range(6) for side in seeds_of_duel(5, index) for seed in side}
    assert len(everything) == 3 * 2 + 6 * 2


@pytest.mark.parametrize("number", [0, 1, 3])
def test_other_than_two_players_are_refused(number):
    with pytest.raises(BadAgent, match=f"tictactoe is a game for two, not for {number}"):
        list(play_duels(TICTACTOE, Rules(), [RandomMoves()] * number, 2))
