"""Rules are one value that can be written down."""

import pytest
from hypothesis import given

from apprenti.core.errors import ApprentiError
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.rules import PRESETS, Rules
from tests.games.luzhanqi.games import SMALL_ARMY, any_rules


def test_the_presets():
    assert list(PRESETS) == ["ccgc", "western", "casual", "training", "mini", "micro"]
    assert Rules.preset() == Rules() == PRESETS["ccgc"]
    assert PRESETS["western"] == Rules(name="western", mine="dies")
    assert (PRESETS["casual"].quiet_limit, PRESETS["casual"].quiet_draw) == (70, True)
    assert PRESETS["training"].quiet_draw
    assert PRESETS["training"].max_moves
    assert [name for name, rules in PRESETS.items() if rules.board == "mini"] == ["mini"]
    assert all(not rules.blocked and len(rules.slots) == 25 for rules in PRESETS.values() if rules.board == "full")


@given(any_rules())
def test_rules_read_back(rules):
    assert GAME.rules_from_json(GAME.rules_to_json(rules)) == rules
    assert "\n" not in GAME.describe(rules)


def test_what_a_file_leaves_out_is_as_in_the_preset():
    assert Rules.from_json({"name": "casual", "mine": "dies"}) == Rules.preset("casual", mine="dies")


def test_descriptions_tell_rules_apart():
    different = [*PRESETS.values(), Rules(headquarters="free"), Rules(flag="carried"), Rules(flag="mines")]
    different += [Rules(bombs_turn=True), Rules(show_fights=True), Rules(reveal_flag=False), Rules(quiet_limit=0)]
    different += [Rules(army=SMALL_ARMY), Rules(army=SMALL_ARMY, board="mini")]
    different += [Rules(bomb_takes_flag=False), Rules(repetition=3), Rules(army="012222333321"), Rules(max_moves=9)]
    assert len({rules.description for rules in different}) == len(different)


@pytest.mark.parametrize(
    "changes",
    [
        {"mine": "explodes"}, {"headquarters": "open"}, {"flag": "draws"}, {"quiet_limit": -1}, {"max_moves": -1},
        {"repetition": -1}, {"repetition": 1}, {"army": "11"}, {"army": "1122223333210"}, {"army": "11222233332x"},
        {"army": "112222333322"}, {"army": "112222333320"}, {"army": "212222333321"}, {"army": "000000000931"[::-1]},
        {"board": "midi"},
    ],
)  # fmt: skip
def test_impossible_rules_are_refused_with_a_sentence(changes):
    with pytest.raises(ApprentiError) as refused:
        Rules(**changes)
    assert str(refused.value).endswith((".", "?"))


@pytest.mark.parametrize("army", [Rules().army, "111111323321", "100000000801", "100000000681"])
def test_an_army_that_the_mini_board_has_no_room_for_is_refused_with_how_much_there_is(army):
    with pytest.raises(ApprentiError, match="on the mini board: at most 19 pieces, 7 mines, 13 mines and bombs"):
        Rules.preset("mini", army=army)


@pytest.mark.parametrize("data", [{"mines": "dies"}, {"mine": 3}, {"quiet_limit": True}, {"quiet_limit": "31"}])
def test_other_data_are_no_rules(data):
    with pytest.raises(ApprentiError, match="not rules of luzhanqi"):
        Rules.from_json(data)


def test_a_name_or_option_that_does_not_exist_is_refused():
    with pytest.raises(ApprentiError, match="set of rules"):
        GAME.rules(rules="chess")
    with pytest.raises(ApprentiError, match="luzhanqi has no option 'size': there is army, flag"):
        GAME.rules(size="10x20")
