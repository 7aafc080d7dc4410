"""The learned players of the zoo on boards that are too large for a table of positions."""

import pytest

from apprenti.arena.many import play_many
from apprenti.games.mnk.game import MNK
from apprenti.lab.agents import find


@pytest.mark.parametrize("size", ["6x7x4", "7x7x4"])
@pytest.mark.parametrize(("other", "floor"), [("random", 0.95), ("one-ply", 0.7)])
def test_a_learned_player_of_a_large_board_beats_the_baselines(size, other, floor):
    known, opponent = find(f"learned-{size}", MNK), find(other, MNK)
    games = list(play_many(MNK, known.rules, (known.agent, opponent.agent), 40, root=5))
    assert known.rules.size == size
    assert sum(game.points for game in games) >= floor * 40
