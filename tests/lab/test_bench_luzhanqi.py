"""The speed of Luzhanqi is measured, and the kernel is far faster than the readable rules."""

from apprenti.lab.bench_luzhanqi import luzhanqi_figures


def test_every_figure_is_a_speed_and_the_kernel_is_the_faster_engine():
    figures = {name: value for name, value, _ in luzhanqi_figures(quick=True)}
    assert all(value > 0 for value in figures.values())
    assert len(figures) == 7
    compiled, readable = (
        figures["luzhanqi, random moves, kernel, one core"],
        figures["luzhanqi, random moves, readable rules"],
    )
    assert compiled > 20 * readable
