"""The figures that explain are drawn from what really happened."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from apprenti.cli.main import main
from apprenti.core.errors import ApprentiError
from apprenti.games.tetris.lab.figures import FIGURES, Source, draw, layers_of, line_removed
from apprenti.lab.agents import find
from apprenti.lab.train import train
from tests.learn.tiny import config


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_a_png_and_a_well_formed_svg(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["draw", name]) == 0
    assert f"{name}.svg {name}.png" in capsys.readouterr().out
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(tmp_path / f"{name}.svg").getroot().tag.endswith("svg")


def test_the_drop_removes_a_line():
    agent = find("dellacherie")
    state, placement = line_removed(agent.agent, agent.rules.changed("10x10"), 1)
    assert state.board.with_cells(placement.cells, placement.piece).full_rows


def test_a_population_of_a_run_may_be_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    train("ga", config("ga"), "mine")
    for name in ("roulette", "tournament"):
        draw(name, Source(run="mine"), [tmp_path / f"{name}.png"])


def test_the_layers_of_a_network_fit_each_other():
    for name in ("dqn-board", "dqn-criteria"):
        layers = layers_of(find(name).agent)
        for before, layer in pairwise(layers):
            assert layer.weights is None or layer.weights.shape == (before.units, layer.units)


@pytest.mark.parametrize(
    ("name", "source", "why"),
    [
        ("sketch", Source(), "there is no figure called 'sketch'"),
        ("network", Source(agent="dellacherie"), "give an agent that has one"),
        ("drop", Source(agent="random"), "removed no line"),
        ("roulette", Source(run="none"), "there is no run called"),
        ("drop", Source(agent="mnk-perfect"), "mnk-perfect plays mnk"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(name, source, why, tmp_path):
    with pytest.raises(ApprentiError, match=why):
        draw(name, source, [tmp_path / "figure.png"])
    assert list(tmp_path.iterdir()) == []
