"""Luzhanqi's speed is measured in all its parts."""

from apprenti.lab.bench.luzhanqi import luzhanqi_figures


def test_every_part_has_a_figure_of_its_own():
    figures = {name: value for name, value, _ in luzhanqi_figures(quick=True)}
    assert len(figures) == 7
    assert all(value > 0 for value in figures.values())
