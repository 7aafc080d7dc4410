"""What an agent believes and wants, in words."""

import re

import numpy as np

from apprenti.games.luzhanqi import State
from apprenti.games.luzhanqi.agents.players import ExpectedValuePlayer, GreedyPlayer
from apprenti.games.luzhanqi.agents.search import LearnedSearchAgent
from apprenti.games.luzhanqi.board import NAMES, SLOTS
from apprenti.games.luzhanqi.lab.exploit import Habits
from apprenti.games.luzhanqi.layout import BOOK
from apprenti.games.luzhanqi.views.beliefs import beliefs, explained, favourites
from apprenti.games.luzhanqi.views.layouts import layouts
from tests.games.luzhanqi.agents.test_learned_search import RULES, arrays, position


def test_every_enemy_piece_is_named_with_its_likely_types():
    state = position()
    for player in (0, 1):
        text = beliefs(object(), state.observation(player))
        named = set(re.findall(r"\b([A-L][0-4]) [a-l] ", text))
        assert named == {
            NAMES[p] for p, piece in enumerate(state.record.board) if piece >= 0 and piece // SLOTS != player
        }
        assert max(map(len, text.splitlines())) <= 80


def test_at_the_beginning_a_headquarters_holds_the_flag_every_second_time():
    text = beliefs(object(), State.start(BOOK[0], BOOK[2]).observation(0))
    assert re.search(r"A1 l 50% ", text) and re.search(r"A3 l 50% ", text)


def test_counting_and_what_an_agent_itself_believes_have_their_own_titles():
    seen = position().observation(0)
    for agent in (object(), ExpectedValuePlayer()):  # whoever counts believes what counting says
        assert "by counting" in beliefs(agent, seen) and "to south" not in beliefs(agent, seen)
    counted, own = beliefs(GreedyPlayer(), seen).split("what they are likely to be to south, which has beliefs")
    assert counted.startswith("what north's pieces are likely to be, by counting")
    assert len(own.splitlines()) == len(counted.splitlines())


def test_favourite_moves_come_with_their_probabilities_only_when_it_is_the_agents_turn():
    state, agent = position(), LearnedSearchAgent(arrays=arrays())
    mover = state.to_move
    text = favourites(agent, state.observation(mover))
    chances, value = agent.policy(state.observation(mover), state.legal_moves())
    best = int(np.argmax(chances))
    assert f"{state.legal_moves()[best]} {chances[best]:.0%}" in text and f"value {value:+.2f}" in text
    assert "favourite" in explained(agent, mover, state)
    assert "favourite" not in explained(agent, 1 - mover, state)
    assert "favourite" not in explained(object(), mover, state)
    assert explained(agent, 0, State.setup()) == ""


def test_where_an_agent_sets_up_is_counted_and_drawn(tmp_path):
    shares = Habits((BOOK[0],) * 4).shares
    assert (shares.sum(axis=1) == RULES.counts).all() and (shares.sum(axis=0) == 1).all()
    path = tmp_path / "layouts.png"
    layouts(shares, [str(kind) for kind in range(12)], range(25), "where", path)
    assert path.stat().st_size > 1000


def test_a_short_explanation_is_two_lines_that_fit_and_say_whose_belief_it_is():
    state = position()
    mover = state.to_move
    who = ("south", "north")[mover]
    lines = explained(object(), mover, state, small=True).splitlines()
    assert len(lines) == 1 and lines[0].startswith(f"{who}, by counting: flag ") and len(lines[0]) < 80
    learned = LearnedSearchAgent(arrays=arrays())
    believed, favourite = explained(learned, mover, state, small=True).splitlines()
    assert believed.startswith(f"{who} thinks: flag ") and len(believed) < 80
    assert favourite.startswith("favourite moves")


def test_favourite_moves_fit_on_a_line_and_are_moves_that_are_made():
    state = position()
    legal, seen = state.legal_moves(), state.observation(state.to_move)

    class Wanting:
        def __init__(self, *chances):
            self.chances = np.array([*chances, *[0.0] * (len(legal) - len(chances))])

        def policy(self, observation, legal):
            return self.chances, -0.001

    assert favourites(Wanting(0.998, 0.002), seen) == f"favourite moves  {legal[0]} 100%  value +0.00"
    assert len(favourites(Wanting(*[0.2] * 5), seen)) < 80
