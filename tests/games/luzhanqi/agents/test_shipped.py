"""The learned player of the zoo: small, found by its name, and far better than chance."""

from itertools import pairwise

import pytest

from apprenti.arena.many import play_many
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.lab.exploit import habits
from apprenti.games.luzhanqi.pieces import FLAG
from apprenti.lab.agents import find, zoo
from apprenti.store.agentfile import read_agent


def test_it_is_small_and_says_what_it_was_measured_to_be():
    path = zoo()["luzhanqi-learned"]
    assert sum(part.stat().st_size for part in path.parent.glob("luzhanqi-learned.*")) < 1_000_000
    measured = {entry["against"]: entry for entry in read_agent(path).measured}
    assert all(entry["ci95"][0] < entry["mean"] <= entry["ci95"][1] for entry in measured.values())
    assert all(entry["games"] >= 100 for entry in measured.values())


def test_it_wins_nearly_always_against_a_random_player():
    known, other = find("learned", GAME), find("random", GAME)
    assert known.name == "luzhanqi-learned"
    games = list(play_many(GAME, known.rules, (known.agent, other.agent), 20, root=5))
    assert sum(game.points for game in games) >= 17


@pytest.mark.parametrize("name", ["learned", "magnet"])
def test_it_does_not_walk_in_circles(name):
    """At most a tenth of its moves take back its last one: it was a third before they had a weight."""
    known, other = find(name, GAME), find("expected", GAME)
    taken, made = 0, 0
    for game in play_many(GAME, known.rules, (known.agent, other.agent), 20, root=5):
        moves = [move for move in game.moves if len(move) == 4][game.first :: 2]
        taken += sum(move == before[2:] + before[:2] for before, move in pairwise(moves))
        made += len(moves)
    assert made > 400 and taken <= 0.1 * made


@pytest.mark.parametrize("name", ["learned", "magnet", "learned-search", "monte-carlo", "expected"])
def test_its_layouts_are_many_and_its_flag_is_on_either_side(name):
    known = find(name, GAME)
    seen = habits(known.agent, known.rules, 400, 3)
    assert len(set(seen.layouts)) >= 396 and seen.entropy(FLAG) > 0.98
