"""The PettingZoo environment under its own name, and the same rules as OpenSpiel; the rest is in the contracts."""

import numpy as np
import pyspiel
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream, pick
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.envs.both_sides import AGENTS, NAME, env
from apprenti.games.mnk.state import End

CROSS, NOUGHT = AGENTS


def after(size, *cells):
    """A game in which some moves have been made."""
    game = env(size)
    game.reset(seed=1)
    for cell in cells:
        game.step(cell)
    return game


def test_it_has_a_name_with_a_version():
    assert env().metadata["name"] == NAME == "apprenti/mnk_v0"


def test_each_sees_its_own_marks_first_and_may_choose_only_in_its_turn():
    game = after("3x3x3", 4, 0)
    for agent, own, other in ((CROSS, 4, 0), (NOUGHT, 0, 4)):
        seen = game.observe(agent)
        assert np.flatnonzero(seen["observation"][..., 0]).tolist() == [own]
        assert np.flatnonzero(seen["observation"][..., 1]).tolist() == [other]
        free = [1, 2, 3, 5, 6, 7, 8] if agent == CROSS else []
        assert np.flatnonzero(seen["action_mask"]).tolist() == free
        assert (game.infos[agent]["action_mask"] == seen["action_mask"]).all()
    assert (game.state() == game.observe(CROSS)["observation"]).all()


def test_the_winner_gets_1_and_the_loser_minus_1():
    game = after("3x3x3", 0, 3, 1, 4)
    assert game.rewards == {CROSS: 0.0, NOUGHT: 0.0}
    game.step(2)
    assert game.rewards == {CROSS: 1.0, NOUGHT: -1.0}
    assert game.terminations == {CROSS: True, NOUGHT: True}
    assert game.last()[1:4] == (-1.0, True, False)  # O's turn would be next
    game.step(None)
    assert game.last()[1] == 1.0
    game.step(None)
    assert game.agents == []


def test_a_draw_gives_nothing():
    game = after("3x3x3", 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert game.position.outcome.reason is End.FULL
    assert game.rewards == {CROSS: 0.0, NOUGHT: 0.0} and all(game.terminations.values())


@pytest.mark.parametrize("options", [{"size": "3x3"}, {"size": "30x3x3"}, {"render_mode": "rgb_array"}])
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(ApprentiError):
        env(**options)


def test_boards_are_drawn(capsys):
    assert after("3x3x3", 4, 0).render() == "O..\n.X.\n..."
    game = env(render_mode="human")
    game.reset()
    game.step(4)
    assert capsys.readouterr().out == "...\n...\n...\n\n...\n.X.\n...\n\n"


@pytest.mark.parametrize(
    ("name", "size", "games"),
    [("tic_tac_toe", "3x3x3", 300), ("mnk(m=3,n=3,k=3)", "3x3x3", 100), ("mnk(m=4,n=3,k=3)", "3x4x3", 200),
     ("mnk(m=5,n=5,k=4)", "5x5x4", 150), ("mnk(m=3,n=6,k=3)", "6x3x3", 150), ("mnk(m=15,n=15,k=5)", "15x15x5", 20)],
)  # fmt: skip
def test_the_rules_agree_with_openspiel_on_random_games(name, size, games):
    theirs, rules, rng = pyspiel.load_game(name), Rules.parse(size), Stream.named(1, name)
    winners = set()
    for _ in range(games):
        other, state = theirs.new_initial_state(), State.start(rules)
        while not state.outcome:
            assert not other.is_terminal() and other.current_player() == state.to_move
            assert tuple(other.legal_actions()) == state.legal_moves()
            cell = pick(rng, state.legal_moves())
            other.apply_action(cell)
            state = state.play(cell)
        assert other.is_terminal()
        expected = {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[state.outcome.winner]
        assert other.returns() == expected
        winners.add(state.outcome.winner)
    assert {0, 1} <= winners
