"""Recipes: a stage begins with what the one before has learned, also when it looks at other criteria."""

from pathlib import Path

import pytest

from apprenti.cli.main import main
from apprenti.games.tetris.kinds.recipe import begun, continued
from apprenti.games.tetris.weights import Layout


def test_a_stage_goes_on_with_the_weights_it_knows_and_begins_new_ones_at_0():
    before = {"holes": -3.0, "landing_height": 9.0, "height_rbf": [0.0, 0.0, 4.0, 0.0, 0.0]}
    layout = Layout(("lines", "height_rbf", "holes"), 10)
    assert continued(before, layout) == pytest.approx((0.0, 0.0, 0.0, 0.8, 0.0, 0.0, -0.6))


def test_a_stage_that_knows_nothing_of_the_one_before_begins_from_nothing():
    assert continued({"holes": -3.0}, Layout(("lines", "bumpiness"), 10)) == (0.0, 0.0)


def test_each_regime_begins_as_what_was_learned_for_its_height():
    layout, low, high = Layout(("lines",), 10), {"lines": 2.0}, {"lines": -2.0}
    assert begun({"weights": low}, layout, (5, 7)) == (1.0, 1.0, 1.0)
    assert begun({"heights": [6], "weights": [low, high]}, layout, (5, 7)) == (1.0, 1.0, -1.0)
    assert begun({"heights": [6], "weights": [low, high]}, layout, ()) == (1.0,)


def test_a_stage_after_one_with_units_is_refused_before_anything_is_learned(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    stages = "[[stage]]\nunits = 2\niterations = 1\n[[stage]]\niterations = 1\n"
    head = (
        'title = "t"\nquestion = "q"\nkind = "recipe"\nconfig = { criteria = "bcts" }\nshort_config = { games = 1 }\n'
    )
    Path("bad.toml").write_text(head + stages)
    assert main(["reproduce", "bad.toml"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "no stage can follow one with units" in told
