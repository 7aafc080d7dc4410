"""Small worlds: their laws by hand, the map as text, what is refused."""

import pytest

import apprenti
from apprenti.core.errors import BadRules
from apprenti.core.protocols import CHANCE, CommonReason
from apprenti.games.mdp.game import GRIDWORLD, MDP
from apprenti.games.mdp.tables import TABLES
from apprenti.views.view import Look, view_of


def at(place, **options):
    return GRIDWORLD.read_state(GRIDWORLD.rules(**options), f"{place} 0 0 -")


# ...G
# .#.P
# S...
def test_a_slippery_step_goes_ahead_or_to_either_side_and_walls_hold_one_back():
    moving = at("c1").play("right")
    assert moving.turn == CHANCE
    assert dict(moving.chances()) == pytest.approx({"d1": 0.8, "c1": 0.1, "c2": 0.1})
    assert moving.play("d1").score == pytest.approx(0.96)
    assert dict(at("a2").play("right").chances()) == pytest.approx({"a1": 0.1, "a2": 0.8, "a3": 0.1})


def test_without_slipping_nothing_is_left_to_chance():
    assert at("a3", slip=0.0).play("up").place == "a2"


def test_a_goal_and_a_pit_are_ends_and_the_cliff_leads_back_to_the_start():
    assert at("c2", slip=0.0).play("right").outcome.scores == (pytest.approx(-1.04),)
    fallen = at("b3", world="cliff").play("down")
    assert (fallen.place, fallen.score, fallen.outcome) == ("a4", -100, None)


def test_who_walks_in_circles_is_stopped():
    state = at("a3", slip=0.0, max_moves=2).play("left").play("left")
    assert state.outcome.reason is CommonReason.STOPPED and state.outcome.truncated


def test_what_a_player_knows_is_the_place_alone():
    after = at("a3", slip=0.0).play("up").play("down")
    assert after != at("a3", slip=0.0)
    assert after.observation(0) == at("a3", slip=0.0).observation(0)
    assert GRIDWORLD.write_observation(after.observation(0)) == "a3"


def test_the_laws_of_all_tables_are_laws():
    for model in TABLES.values():
        for moves in model.moves.values():
            for law in moves.values():
                assert sum(share for _, share, _ in law) == pytest.approx(1)
                assert len({place for place, _, _ in law}) == len(law)


def test_a_map_is_drawn_with_the_player_on_it():
    drawn = view_of(GRIDWORLD).screen(at("a3"), Look(colour=False))
    assert drawn.splitlines() == ["   a b c d", " 1 . . . +", " 2 . # . -", " 3 @ . . ."]


@pytest.mark.parametrize(
    "options",
    [{"world": "..G"}, {"world": "S./..."}, {"world": "SX"}, {"slip": 2.0}, {"rewards": "1,2"}, {"max_moves": 0}],
)
def test_a_world_that_is_none_is_one_sentence(options):
    with pytest.raises(BadRules, match=r"\.$"):
        GRIDWORLD.rules(**options)
    with pytest.raises(BadRules):
        MDP.rules(world="nowhere")


def test_a_tree_search_finds_the_goal():
    found = apprenti.evaluate("mcts:20", game="gridworld", games=2, workers=1, world="S.G", slip=0.0, max_moves=10)
    assert found.mean == pytest.approx(0.92)  # in two steps
