"""The options of the environments."""

from dataclasses import fields
from pathlib import Path

from apprenti.games.tetris import Rules
from apprenti.games.tetris.envs.games import Options

PAGE = (Path(__file__).parents[4] / "docs" / "environments.md").read_text()


def test_the_page_names_every_option():
    for field in fields(Options):
        assert f"\n| `{field.name}` |" in PAGE


def test_what_is_not_chosen_comes_from_the_rules():
    usual = Options.read("tetrisbot", {})
    assert usual.game == Rules.preset("tetrisbot")
    own = Rules.preset("strict", "7x9", max_pieces=5, preview=True)
    assert Options.read("tetrisbot", {"rules": own}).game == own
    changed = Options.read("tetrisbot", {"rules": own, "max_pieces": 0, "preview": False, "size": "6x6"}).game
    assert changed == Rules.preset("strict", "6x6")


def test_rewards_for_each_number_of_lines():
    assert Options.read("simplified", {"reward": "square", "piece_bonus": 0.5}).rewards[:4] == (0.5, 1.5, 4.5, 9.5)
    assert Options.read("tetrisbot", {"reward": "points"}).rewards[:5] == (0, 40, 100, 300, 1200)
    assert Options.read("tetrisbot", {}).rewards == (0, 1, 2, 3, 4, 5)
