"""Rules are one value that can be written down."""

import pytest
from hypothesis import given

from apprenti.core.errors import ApprentiError
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.rules import PRESETS, Rules
from tests.games.luzhanqi.games import any_rules


def test_the_presets():
    assert list(PRESETS) == ["ccgc", "western", "casual", "training"]
    assert Rules.preset() == Rules() == PRESETS["ccgc"]
    assert PRESETS["western"] == Rules(name="western", mine="dies")
    assert (PRESETS["casual"].quiet_limit, PRESETS["casual"].quiet_draw) == (70, True)
    assert PRESETS["training"].quiet_draw
    assert PRESETS["training"].max_moves


@given(any_rules())
def test_rules_read_back(rules):
    assert GAME.rules_from_json(GAME.rules_to_json(rules)) == rules
    assert "\n" not in GAME.describe(rules)


def test_what_a_file_leaves_out_is_as_in_the_preset():
    assert Rules.from_json({"name": "casual", "mine": "dies"}) == Rules.preset("casual", mine="dies")


def test_descriptions_tell_rules_apart():
    different = [*PRESETS.values(), Rules(headquarters="free"), Rules(flag="carried"), Rules(flag="mines")]
    different += [Rules(bombs_turn=True), Rules(show_fights=True), Rules(reveal_flag=False), Rules(quiet_limit=0)]
    different += [Rules(bomb_takes_flag=False), Rules(repetition=3), Rules(army="012222333321"), Rules(max_moves=9)]
    assert len({rules.description for rules in different}) == len(different)


@pytest.mark.parametrize(
    "changes",
    [
        {"mine": "explodes"}, {"headquarters": "open"}, {"flag": "draws"}, {"quiet_limit": -1}, {"max_moves": -1},
        {"repetition": -1}, {"repetition": 1}, {"army": "11"}, {"army": "1122223333210"}, {"army": "11222233332x"},
        {"army": "112222333322"}, {"army": "112222333320"}, {"army": "212222333321"}, {"army": "000000000931"[::-1]},
    ],
)  # fmt: skip
def test_impossible_rules_are_refused_with_a_sentence(changes):
    with pytest.raises(ApprentiError) as refused:
        Rules(**changes)
    assert str(refused.value).endswith((".", "?"))


@pytest.mark.parametrize("data", [{"mines": "dies"}, {"mine": 3}, {"quiet_limit": True}, {"quiet_limit": "31"}])
def test_other_data_are_no_rules(data):
    with pytest.raises(ApprentiError, match="not rules of luzhanqi"):
        Rules.from_json(data)


def test_a_name_or_size_that_does_not_exist_is_refused():
    with pytest.raises(ApprentiError, match="set of rules"):
        GAME.rules("chess")
    with pytest.raises(ApprentiError, match="one board"):
        GAME.rules("", "10x20")
