"""Curves of several runs: what is read off them."""

from apprenti.arena.statistics import as_json, summarise
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds import training
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.kinds.scores import saying_what_is_estimated
from tests.lab.kinds.tiny import TINY


def trained(means, tested):
    """A finished run with this curve and this score on fresh games."""
    rows = [{"generation": i, "mean": mean, "seconds": 1.0} for i, mean in enumerate(means, 1)]
    test = {"statistics": {"lines": as_json(summarise([tested]))}}
    config = {"iterations": len(means), "episodes": 7}
    return {"name": "λ = 0.3", "there": "-", "config": config, "seconds": 1.0, "curve": rows, "test": test}


def test_a_table_of_cut_games_says_that_its_column_is_estimated():
    headings, whole = ("agent", "measured"), summarise([3.0, 5.0])
    assert saying_what_is_estimated(headings, [whole], "measured") == ["agent", "measured"]
    estimated = saying_what_is_estimated(headings, [whole, summarise([3.0, 5.0], deaths=1)], "measured")
    assert estimated == ["agent", "measured (estimated whole games)"]


def test_what_a_run_has_made_of_cut_games_is_the_estimate_that_was_published():
    finding = {"test": {"statistics": {"lines": as_json(summarise([3.0, 5.0], deaths=1))}}}
    assert training.tested(finding, "lines").mean == 8


RISES = [20.0, 0.0, 1.0, *[10.0] * 9, 100.0, *[40.0] * 10]
RISES_LATER = [30.0, 2.0, 0.0, *[10.0] * 10, 60.0, *[20.0] * 9]


def test_the_numbers_are_those_of_the_mean_curve_point_by_point(tmp_path):
    curves = training.Curves(
        Experiment("mine", "Mine", "What?", "training/curves", TINY["training/curves"]), Settings(), tmp_path
    )
    curves.findings = [trained(RISES, 50.0), trained(RISES_LATER, 30.0)]
    (found,) = curves.numbers()
    assert (found["first"], found["lowest_of_the_next_10"]) == (25.0, 0.5)
    assert (found["peak"], found["peak_iteration"], found["best_peak"]) == (55.0, 13, 100.0)
    assert found["end"] == 32.0  # the last ten points: 50 (40 and 60), then 30 nine times
    line = curves.cells(found)
    assert len(line) == len(training.Curves.headings)
    assert line[0] == "λ = 0.3" and line[2] == "2 × 23 × 7"
    assert line[-1] == "40, 30 … 50"
    assert found["curves"] == [RISES, RISES_LATER]
    assert curves.table().startswith("| run | there | runs × iterations × games | first |")
