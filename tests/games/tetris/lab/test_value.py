"""The value of a player beside the optimum, and what is kept of it."""

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Rules
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.lab.solve import Problem
from apprenti.games.tetris.lab.value import value_and_keep, value_of
from apprenti.games.tetris.walls import afterstates, mirrored
from apprenti.lab.agents import find
from apprenti.lab.evaluate import evaluate
from apprenti.lab.results import Effort

PROBLEM = Problem(Rules.preset("simplified", "4x4"), workers=1)


def test_the_losses_of_its_moves_are_what_a_player_lacks():
    for name in ("dellacherie", "epsilon-greedy:0.2,bcts"):
        found = value_of(find(name, GAME), PROBLEM)
        assert found.optimum == pytest.approx(7.066943, abs=1e-5)
        assert found.lost == pytest.approx(found.optimum - found.value, abs=1e-5)
        assert found.value < found.improved <= found.optimum + 1e-9


def test_the_kept_agent_is_the_player_improved_once_and_says_its_values(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found, name = value_and_keep(find("dellacherie"), PROBLEM)
    assert name == "improved-dellacherie-4x4"
    known = find(name)
    assert known.agent.table.value(0) == pytest.approx(found.value, rel=1e-6)
    table, walls = known.agent.table, [wall for p in "SJLT" for _, _, wall in afterstates(PROBLEM.rules, 0, p) if wall]
    assert any(table.value(wall) != table.value(mirrored(wall, 4)) for wall in walls)  # it prefers the left
    summary = evaluate(known, PROBLEM.rules, Effort(4000, 1, 1)).summary("lines")
    assert summary.mean == pytest.approx(found.improved, abs=4 * summary.deviation / 4000**0.5)


def test_players_of_ten_columns_are_refused():
    with pytest.raises(ApprentiError):
        value_of(find("bdu"), PROBLEM)
