"""One game from beginning to end, for one player or several, with or without chance."""

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import choices, play_game, seeds_of_game
from apprenti.core.errors import Forfeit, IllegalMove
from apprenti.core.protocols import CHANCE, CommonReason, GameRecord, GameSeeds, Outcome
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules as Board
from apprenti.games.mnk.game import TICTACTOE
from apprenti.games.mnk.state import End as Row
from apprenti.games.tetris import Rules, deal, start
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.game import GAME, measures_of
from apprenti.games.tetris.state import COMMANDS, End
from tests.toys import PIG, SUM

SMALL = Rules.preset("tetrisbot", "6x10", max_pieces=60)
AGENTS = [RandomAgent(), RandomAgent("commands"), FilteringAgent(), LinearAgent({"holes": -1}, ties="random")]
every_agent = pytest.mark.parametrize("agent", AGENTS, ids=["placements", "keys", "filtering", "linear"])


def play(agent, rules, pieces, player, on_state=None):
    """A game of Tetris from its two seeds."""
    return play_game(GAME, rules, [agent], GameSeeds(pieces, (0,), (player,)), on_state)


def timeless(played):
    """What does not depend on the machine."""
    return replace(played, seconds=(), slowest=0.0)


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
class Crash:
    """Cannot go on after some moves."""

    after: int = 2

    def choose(self, observation, legal, rng):
        if len(legal) <= 9 - self.after:
            raise Forfeit("out of time")
        return legal[0]


# For one --------------------------------------------------------------------------------------------------------------


@every_agent
def test_same_seeds_same_game(agent):
    games = (timeless(play_game(GAME, SMALL, [agent], seeds_of_game(1, game))) for game in (0, 0, 1))
    first, again, other = games
    assert first == again != other


@every_agent
def test_the_moves_lead_to_the_end(agent):
    played = play(agent, SMALL, 5, 6)
    chance, state = Stream(5), start(SMALL)
    for text in played.moves:
        state = deal(state, chance) if state.turn == CHANCE else state
        state = state.play(GAME.read_move(state, text))
    state = deal(state, chance) if state.turn == CHANCE else state
    assert (measures_of(state.tally), state.outcome) == (played.measures, played.outcome)
    assert (played.seed, played.opening, played.length) == (5, "", len(played.moves))


def test_who_presses_keys_chooses_from_keys_where_a_game_has_them():
    state = deal(start(SMALL), Stream(1))
    assert choices(RandomAgent("commands"), state) == COMMANDS
    assert choices(RandomAgent(), state) == state.legal
    board = TICTACTOE.start(Board(), Stream(1))
    assert choices(RandomAgent("commands"), board) == board.legal_moves()


def test_the_luck_of_a_player_does_not_change_the_pieces():
    def pieces(luck):
        seen = []
        rules = Rules.preset("tetrisbot", max_pieces=20)
        play(RandomAgent(), rules, 7, luck, lambda state, move: seen.append(state.piece) if state.piece else None)
        return seen

    one, other = pieces(1), pieces(2)
    dealt = min(len(one), len(other))
    assert dealt > 5
    assert one[:dealt] == other[:dealt]
    assert play(RandomAgent(), SMALL, 7, 1).moves != play(RandomAgent(), SMALL, 7, 2).moves


def test_the_time_of_every_decision_is_kept(monkeypatch):
    # a clock that goes on by 1, 2, 3 … between two looks: decisions take 1, 3, 5, 7 seconds
    ticks = iter(i * (i + 1) / 2 for i in range(100))
    monkeypatch.setattr("apprenti.arena.game.perf_counter", lambda: next(ticks))
    played = play(RandomAgent(), SMALL.changed(max_pieces=4), 1, 1)
    assert (played.seconds, played.slowest) == ((1 + 3 + 5 + 7,), 7)


def test_every_state_is_shown_in_order():
    states = []
    played = play(FilteringAgent(), SMALL, 1, 1, lambda state, move: states.append(state))
    pieces = played.measures["pieces"]
    waiting = [state.tally.pieces for state in states if state.turn == CHANCE]
    assert waiting == [*range(pieces + 1)]
    assert states[-1].outcome
    assert not any(state.outcome for state in states[:-1])


def test_a_limit_is_no_death_and_the_rules_are():
    cut = play(FilteringAgent(), SMALL.changed(max_pieces=3), 1, 1)
    assert (cut.outcome.truncated, cut.outcome.reason, cut.measures["pieces"]) == (True, End.LAST_PIECE, 3)
    assert not play(RandomAgent(), SMALL, 1, 1).outcome.truncated


def test_games_of_an_evaluation_have_different_seeds_for_pieces_and_player():
    games = [seeds_of_game(root, game) for root in (1, 2) for game in range(100)]
    seeds = [seed for game in games for seed in (game.chance, *game.players)]
    assert len(set(seeds)) == len(seeds)


# For several ----------------------------------------------------------------------------------------------------------


def test_the_first_player_has_the_first_move_and_everything_is_written_down():
    played = play_game(TICTACTOE, Board(), (FirstFree(), FirstFree()), seeds_of_game(1, 0, players=2))
    assert played.moves == ("0", "1", "2", "3", "4", "5", "6")  # X has 2, 4 and 6
    assert (played.outcome, played.opening) == (Outcome.between_two(Row.ROW, 0), ".../.../... x")
    assert all(seconds > 0 for seconds in played.seconds)


def test_whoever_watches_sees_every_position_with_the_move_that_led_to_it():
    seen = []
    seeds = seeds_of_game(1, 0, players=2)
    played = play_game(TICTACTOE, Board(), (FirstFree(), FirstFree()), seeds, lambda *what: seen.append(what))
    states, moves = zip(*seen, strict=True)
    assert moves == ("", *played.moves)
    for before, after, move in zip(states, states[1:], moves[1:], strict=False):
        assert before.play(int(move)) == after
    assert states[-1].outcome


def test_chance_deals_between_the_moves_of_two_and_brings_no_move():
    seen = []
    players = [RandomAgent(), RandomAgent()]
    played = play_game(PIG, PIG.rules(), players, seeds_of_game(1, 0, players=2), lambda *what: seen.append(what))
    for (before, _), (_, move) in pairwise(seen):
        assert (move == "") == (before.turn == CHANCE)
    assert [move for _, move in seen if move] == list(played.moves)


def test_an_illegal_move_does_not_go_unnoticed():
    with pytest.raises(IllegalMove, match="a1 is taken"):
        play_game(TICTACTOE, Board(), (Cheat(), Cheat()), seeds_of_game(1, 0, players=2))


@pytest.mark.parametrize(
    ("players", "winner", "moves"), [((Crash(), FirstFree()), 1, 2), ((FirstFree(), Crash()), 0, 3)]
)
def test_who_cannot_go_on_loses_and_the_moves_so_far_are_kept(players, winner, moves):
    played = play_game(TICTACTOE, Board(), players, seeds_of_game(1, 0, players=2))
    assert played.outcome == Outcome.between_two(CommonReason.FORFEIT, winner)
    assert len(played.moves) == moves


def test_who_cannot_go_on_alone_has_nothing():
    played = play_game(SUM, SUM.rules(), [Crash(after=7)], seeds_of_game(1, 0))
    assert played.outcome == Outcome(CommonReason.FORFEIT, scores=(0.0,))


@pytest.mark.parametrize(("first", "winner", "points"), [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1), (1, None, 0.5)])
def test_points_and_time_are_the_players_and_not_the_sides(first, winner, points):
    played = GameRecord(Outcome.between_two(Row.ROW, winner), seconds=(1.0, 2.0), first=first)
    assert played.points == points
    assert (played.time_of(0), played.time_of(1)) == ((1.0, 2.0) if first == 0 else (2.0, 1.0))


def test_the_seeds_of_a_pair_share_openings_and_deals_and_nothing_else():
    first, second = seeds_of_game(5, 2, players=2), seeds_of_game(5, 3, players=2)
    assert (first.chance, first.setups) == (second.chance, second.setups)
    games = [seeds_of_game(5, index, players=2) for index in range(6)]
    everything = {seed for game in games for seed in (game.chance, *game.setups, *game.players)}
    assert len(everything) == 3 * 3 + 6 * 2
