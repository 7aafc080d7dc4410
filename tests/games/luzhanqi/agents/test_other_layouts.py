"""Layouts from elsewhere: the army is another one, the moves are the agent's."""

import pytest

import apprenti
from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.players import ExpectedValuePlayer
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.layout import BOOK, uniform_layout
from apprenti.lab.agents import find
from tests.games.luzhanqi.games import random_game


def test_the_army_is_from_elsewhere_and_the_moves_are_the_agents():
    found = find("layouts:uniform,expected", GAME)
    assert found.agent.arrange(Rules(), Stream(3)) == uniform_layout(Rules(), Stream(3))
    assert find("layouts:book,learned", GAME).agent.arrange(Rules(), Stream(3)) in BOOK
    for state in list(random_game(Rules(), 4, 60))[::20]:
        seen, legal = state.observation(state.to_move), state.legal_moves()
        assert found.agent.choose(seen, legal, Stream(1)) == ExpectedValuePlayer().choose(seen, legal, Stream(1))


@pytest.mark.parametrize("text", ["layouts:uniform", "layouts:chess,expected", "layouts:uniform,dellacherie"])
def test_nonsense_is_refused_with_a_sentence(text):
    with pytest.raises(ApprentiError) as refused:
        find(text, GAME)
    assert str(refused.value).endswith((".", "?"))


@pytest.mark.parametrize("agent", ["luzhanqi-magnet", "luzhanqi-learned-search"])
def test_where_there_is_no_book_a_prior_expects_nothing(agent):
    played = apprenti.match(agent, "luzhanqi-random", games=2, army="111000112111", max_moves=10, workers=1)
    assert played.games == 2 and all(0 < record.length <= 10 for record in played.records)
