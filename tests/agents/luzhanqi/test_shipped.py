"""The learned player of the zoo: small, found by its name, and far better than chance."""

from apprenti.arena.duel import play_duels

from apprenti.games.luzhanqi.game import GAME
from apprenti.lab.agents import find_for_two, zoo
from apprenti.store.agentfile import read_agent


def test_it_is_small_and_says_what_it_was_measured_to_be():
    path = zoo()["luzhanqi-learned"]
    assert sum(part.stat().st_size for part in path.parent.glob("luzhanqi-learned.*")) < 1_000_000
    measured = {entry["against"]: entry for entry in read_agent(path).measured}
    assert all(entry["ci95"][0] < entry["mean"] <= entry["ci95"][1] for entry in measured.values())
    assert all(entry["games"] >= 200 for entry in measured.values())


def test_it_wins_nearly_always_against_a_random_player():
    known, other = find_for_two("learned", GAME), find_for_two("random", GAME)
    assert known.name == "luzhanqi-learned"
    duels = list(play_duels(GAME, known.rules, (known.agent, other.agent), 20, 5))
    assert sum(duel.points for duel in duels) >= 17
