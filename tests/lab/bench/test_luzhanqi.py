"""Luzhanqi's speed is measured in all its parts."""

from apprenti.lab.bench import luzhanqi


def test_every_part_has_a_figure_of_its_own():
    figures = {figure.name: figure.value for figure in luzhanqi.figures(quick=True)}
    assert len(figures) == 8
    assert all(value > 0 for value in figures.values())
