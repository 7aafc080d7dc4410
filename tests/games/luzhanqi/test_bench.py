"""Luzhanqi's speed is measured in all its parts."""

from functools import partial

from apprenti.games.luzhanqi import bench
from apprenti.games.luzhanqi.learn import config


def test_every_part_has_a_figure_of_its_own(monkeypatch):
    from apprenti.games.luzhanqi.learn.deep import ppo  # noqa: F401  # or its first import would keep what is patched

    small = partial(config.PpoConfig, channels=4, layers=1)
    monkeypatch.setattr(config, "PpoConfig", small)  # the network of the usual size takes its time
    figures = {figure.name: figure.value for figure in bench.figures(quick=True)}
    assert len(figures) == 8
    assert all(value > 0 for value in figures.values())
