"""Curves of several runs: what is read off them."""

from types import SimpleNamespace

from apprenti.lab.kinds.curves import Curves, Repeated


def trained(means, tested):
    """A finished run with this curve and this score on fresh games."""
    rows = [{"generation": i, "mean": mean, "seconds": 1.0} for i, mean in enumerate(means, 1)]
    evaluation = SimpleNamespace(summary=lambda unit: SimpleNamespace(mean=tested), to_json=lambda: {"mean": tested})
    about = {"config": {"iterations": len(means), "episodes": 7}}
    return SimpleNamespace(run=SimpleNamespace(metrics=lambda: rows, about=lambda: about), evaluation=evaluation)


RISES = [20.0, 0.0, 1.0, *[10.0] * 9, 100.0, *[40.0] * 10]
RISES_LATER = [30.0, 2.0, 0.0, *[10.0] * 10, 60.0, *[20.0] * 9]


def test_the_numbers_are_those_of_the_mean_curve_point_by_point():
    curves = Repeated({"name": "λ = 0.3"}, "lines", [trained(RISES, 50.0), trained(RISES_LATER, 30.0)])
    found = curves.read_off()
    assert (found["first"], found["lowest_of_the_next_10"]) == (25.0, 0.5)
    assert (found["peak"], found["peak_iteration"], found["best_peak"]) == (55.0, 13, 100.0)
    assert found["end"] == 32.0  # the last ten points: 50 (40 and 60), then 30 nine times
    line = curves.cells()
    assert len(line) == len(Curves.headings)
    assert line[0] == "λ = 0.3" and line[2] == "2 × 23 × 7"
    assert line[-1] == "40, 30 … 50"
    assert curves.to_json()["curves"] == [RISES, RISES_LATER]
