"""One game from beginning to end."""

from dataclasses import replace

import pytest

from apprenti.agents.random import RandomAgent
from apprenti.agents.tetris.filtering import FilteringAgent
from apprenti.agents.tetris.linear import LinearAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules, deal, press, start

SMALL = Rules.preset("tetrisbot", "6x6", max_pieces=60)
AGENTS = [RandomAgent(), RandomAgent("commands"), FilteringAgent(), LinearAgent({"holes": -1}, ties="random")]


def timeless(played):
    """What does not depend on the machine."""
    return replace(played, seconds=0.0, slowest=0.0)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: f"{type(agent).__name__}-{agent.acts}")
def test_same_seeds_same_game(agent):
    first, again, other = (timeless(play_game(agent, SMALL, seeds_of_game(1, game))) for game in (0, 0, 1))
    assert first == again != other


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: f"{type(agent).__name__}-{agent.acts}")
def test_the_moves_lead_to_the_tally(agent):
    played = play_game(agent, SMALL, (5, 6))
    chance, state = Stream(5), start(SMALL)
    for move in played.moves:
        state = press(deal(state, chance) if state.waiting else state, move)
    state = deal(state, chance) if state.waiting else state
    assert (state.tally, state.outcome.reason) == (played.tally, played.reason)


def test_the_luck_of_a_player_does_not_change_the_pieces():
    def pieces(luck):
        seen = []
        rules = Rules.preset("tetrisbot", max_pieces=20)
        play_game(RandomAgent(), rules, (7, luck), lambda state: seen.append(state.piece) if state.piece else None)
        return seen

    one, other = pieces(1), pieces(2)
    dealt = min(len(one), len(other))
    assert dealt > 5
    assert one[:dealt] == other[:dealt]
    assert play_game(RandomAgent(), SMALL, (7, 1)).moves != play_game(RandomAgent(), SMALL, (7, 2)).moves


def test_the_time_of_every_decision_is_kept(monkeypatch):
    # a clock that goes on by 1, 2, 3 … between two looks: decisions take 1, 3, 5, 7 seconds
    ticks = iter(i * (i + 1) / 2 for i in range(100))
    monkeypatch.setattr("apprenti.arena.game.perf_counter", lambda: next(ticks))
    played = play_game(RandomAgent(), SMALL.changed(max_pieces=4), (1, 1))
    assert (played.seconds, played.slowest) == (1 + 3 + 5 + 7, 7)


def test_every_state_is_shown_in_order():
    states = []
    played = play_game(FilteringAgent(), SMALL, (1, 1), states.append)
    assert [state.tally.pieces for state in states if state.piece is None] == [*range(1, played.tally.pieces + 1)]
    assert states[-1].outcome
    assert not any(state.outcome for state in states[:-1])


def test_a_limit_is_no_death_and_the_rules_are():
    cut = play_game(FilteringAgent(), SMALL.changed(max_pieces=3), (1, 1))
    assert (cut.died, cut.reason, cut.tally.pieces) == (False, "the last piece has been played", 3)
    assert play_game(RandomAgent(), SMALL, (1, 1)).died


def test_games_of_an_evaluation_have_different_seeds_for_pieces_and_player():
    seeds = [seed for root in (1, 2) for game in range(100) for seed in seeds_of_game(root, game)]
    assert len(set(seeds)) == len(seeds)
