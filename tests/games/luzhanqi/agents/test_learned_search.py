"""A network inside a search: sensible where the answer is known, blind to what is hidden, and its own description."""

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.players import ExpectedValuePlayer
from apprenti.games.luzhanqi.agents.search import LearnedSearchAgent, MonteCarloPlayer
from apprenti.games.luzhanqi.board import POINTS, parse_move
from apprenti.games.luzhanqi.fast.arrays import array_of_state
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.learn.games import MATERIAL, material
from apprenti.games.luzhanqi.planes import PLANES
from tests.games.luzhanqi.games import random_game
from tests.games.luzhanqi.test_observation import alternatives, with_layouts

RULES = Rules()


def arrays(seed=1):
    """The weights of a network that knows nothing."""
    rng, c = np.random.Generator(np.random.PCG64(seed)), 4
    shapes = {
        "stem": (c, PLANES), "joins.0": (c, 4 * c), "offer": (5, c), "ask": (5, c), "squeeze": (2, c),
        "judge": (8, 2 * POINTS), "value": (1, 8),
    }  # fmt: skip
    found = {"place": rng.standard_normal((POINTS, c)), "mixes.0": rng.standard_normal((4, POINTS, POINTS)) / 8}
    for name, shape in shapes.items():
        found |= {f"{name}.weight": rng.standard_normal(shape) / 3, f"{name}.bias": np.zeros(shape[0])}
    return found


def position(seed=3, moves=60):
    states = [state for state in random_game(RULES, seed, moves) if not state.outcome]
    return states[-1]


def test_a_flag_that_is_known_is_taken_by_a_network_that_knows_nothing_but_is_advised():
    for seed in range(200):
        for state in random_game(RULES, seed, 400):
            enemy = 1 - state.to_move
            flag = state.record.flags[enemy]
            takes = [m for m in state.legal_moves() if parse_move(m)[1] == flag] if flag >= 0 else []
            if takes and not state.outcome:
                agent = LearnedSearchAgent(moves=1000, worlds=2, arrays={**arrays(), "advice": np.array([0.5])})
                chosen = agent.choose(state.observation(state.to_move), state.legal_moves(), Stream(1))
                assert chosen in takes
                return
    pytest.fail("no game came to this")


def test_it_chooses_the_same_whatever_the_hidden_pieces_are():
    state, agent = position(), LearnedSearchAgent(moves=4, worlds=4, arrays=arrays())
    player = state.to_move
    chosen = agent.choose(state.observation(player), state.legal_moves(), Stream(7))
    others = [layouts for layouts, _ in alternatives(state, player, Stream(1), 12)]
    assert others
    for layouts in others[:5]:
        other = with_layouts(state, layouts)
        assert agent.choose(other.observation(player), other.legal_moves(), Stream(7)) == chosen


def test_only_favourites_are_tried_and_one_favourite_is_played_at_once():
    state = position()
    seen, legal = state.observation(state.to_move), state.legal_moves()
    agent = LearnedSearchAgent(moves=3, worlds=2, arrays=arrays())
    chances, _ = agent.policy(seen, legal)
    best = [legal[int(place)] for place in np.argsort(-chances, kind="stable")[:3]]
    assert {agent.choose(seen, legal, Stream(seed)) for seed in range(5)} <= set(best)
    assert LearnedSearchAgent(moves=1, arrays=arrays()).choose(seen, legal, Stream(1)) == best[0]


def test_material_is_counted_for_who_is_to_move():
    state = position()
    games = array_of_state(state)[None]
    here = material(RULES, games)[0]
    turned = games.copy()
    turned[0, at.TO_MOVE] = 1 - turned[0, at.TO_MOVE]
    assert material(RULES, turned)[0] == pytest.approx(-here) and here != 0
    assert material(RULES, array_of_state(State.start(*state.layouts))[None])[0] == 0
    lost = games.copy()
    own = at.POINT + 25 * state.to_move + int(np.flatnonzero(games[0, at.POINT + 25 * state.to_move :][:25] >= 0)[0])
    lost[0, own] = -1
    kind = games[0, own - at.POINT + at.TYPE]
    assert material(RULES, lost)[0] == pytest.approx(here - MATERIAL[kind] / (MATERIAL[:12] * RULES.counts).sum())


def test_with_all_moves_and_the_prejudice_of_the_plain_player_it_is_the_plain_player():
    """Same worlds, same halvings: only what the moves begin with differs."""
    state = position()
    seen, legal = state.observation(state.to_move), state.legal_moves()
    plain, agent = MonteCarloPlayer(worlds=4), LearnedSearchAgent(moves=1000, worlds=4, arrays=arrays())
    bias = plain.prejudice * ExpectedValuePlayer().scores(seen, legal)
    agent.policy = lambda *_: (np.exp(bias / agent.trust) / np.exp(bias / agent.trust).sum(), 0.0)
    for seed in range(5):
        assert agent.choose(seen, legal, Stream(seed)) == plain.choose(seen, legal, Stream(seed))


def test_a_network_that_is_trusted_enough_decides_alone():
    state = position()
    seen, legal = state.observation(state.to_move), state.legal_moves()
    agent = LearnedSearchAgent(worlds=2, trust=1000.0, arrays=arrays())
    assert agent.choose(seen, legal, Stream(1)) == legal[int(agent.policy(seen, legal)[0].argmax())]


def test_moves_that_are_drawn_are_favourites_and_not_always_the_same():
    agent, state = LearnedSearchAgent(4, 50.0, arrays(), draws=True, worlds=1, depth=1), position()
    seen, legal = state.observation(state.to_move), state.legal_moves()
    favourites = {legal[place] for place in np.argsort(-agent.policy(seen, legal)[0], kind="stable")[:4]}
    drawn = {agent.choose(seen, legal, Stream(number)) for number in range(12)}
    assert len(drawn) > 1 and drawn <= favourites


def test_it_comes_back_from_its_description_and_refuses_what_cannot_be():
    agent = LearnedSearchAgent(3, 0.5, arrays(), worlds=5, depth=4, seconds=0.25)
    kind, options = agent.describe()
    again = build(kind, options, agent.arrays())
    assert again == agent and again.describe() == agent.describe()
    for wrong in (
        {"moves": 0},
        {"moves": 2.5},
        {"worlds": 0},
        {"trust": -1.0},
        {"trust": float("nan")},
        {"prejudice": 1.0},
        {"draws": 1},
        {"draws": True, "trust": 0.0},
    ):
        with pytest.raises(ApprentiError):
            LearnedSearchAgent(**wrong, arrays=arrays())


@pytest.mark.parametrize("options", [{"worlds": 2**63}, {"depth": 10**7}])
def test_more_worlds_and_moves_than_there_is_time_for_are_refused_when_it_is_built(options):
    with pytest.raises(BadAgent, match="whole number up to"):
        MonteCarloPlayer(**options)
