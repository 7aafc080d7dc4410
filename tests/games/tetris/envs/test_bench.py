"""The speed of the environments is measured where Gymnasium is installed, and left out where it is not."""

from apprenti.games.tetris import bench
from apprenti.lab.bench import machine


def test_every_environment_is_measured(monkeypatch):
    monkeypatch.setattr(machine, "REPEATS", 1)
    monkeypatch.setattr(bench, "VECTOR_SIZES", (64,))
    figures = {figure.name: figure for figure in bench.environments(quick=True)}
    assert {"apprenti/Tetris-v0, one game", "apprenti/TetrisKeys-v0, 64 games"} <= set(figures)
    compiled, readable = figures["apprenti/Tetris-v0, one game"], figures["apprenti/Tetris-v0, readable engine"]
    assert compiled.value > readable.value > 0 and compiled.unit == "placement steps/s"
    assert all(figure.value > 0 for figure in figures.values())


def test_nothing_is_measured_without_gymnasium(monkeypatch):
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    assert list(bench.environments(quick=True)) == []
