"""SARSA on several boards: its games are counted from its own side."""

from apprenti.games.mnk.kinds.boards import Boards, share
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from tests.learn.tiny import TINY


def test_results_are_counted_from_the_side_of_the_agent(tmp_path):
    # Who begins wins on 2x2x2, and nobody can win on 1x2x2
    sizes = [{"name": size, "config": {"size": size}} for size in ("2x2x2", "1x2x2")]
    plan = {"tests": 3, "config": TINY["sarsa"], "run": sizes}
    boards = Boards(Experiment("mine", "Mine", "What?", "boards", plan), Settings(), tmp_path)
    assert len(list(boards.run(lambda part, words: None))) == 2
    won, drawn = boards.numbers()
    assert (won["value"], won["as_x"], won["as_o"]) == ("X wins", [3, 0, 0], [0, 0, 3])
    assert (drawn["value"], drawn["as_x"], drawn["as_o"]) == ("draw", [0, 3, 0], [0, 3, 0])


def test_a_draw_is_half_a_point():
    assert share([1, 2, 1]) == 0.5
