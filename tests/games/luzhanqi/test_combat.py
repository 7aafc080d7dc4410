"""Combat, cell by cell, and what its results tell."""

import pytest

from apprenti.games.luzhanqi.moves import BOTH_DIED, DIED, WON, fight, types_after
from apprenti.games.luzhanqi.pieces import FLAG, LETTERS, TYPE_OF, letters_of, type_set
from apprenti.games.luzhanqi.rules import Rules

# attacker in rows a … i, k (mines and flags do not attack), defender in columns a … l:
# + the attacker won, - it died, = both died
TABLE = """
     a b c d e f g h i j k l
  a  = + + + + + + + + - = +
  b  - = + + + + + + + - = +
  c  - - = + + + + + + - = +
  d  - - - = + + + + + - = +
  e  - - - - = + + + + - = +
  f  - - - - - = + + + - = +
  g  - - - - - - = + + - = +
  h  - - - - - - - = + - = +
  i  - - - - - - - - = + = +
  k  = = = = = = = = = = = =
"""
SIGNS = {"+": WON, "-": DIED, "=": BOTH_DIED}
CELLS = [
    (attacker, defender, SIGNS[sign])
    for attacker, *signs in (line.split() for line in TABLE.strip().splitlines()[1:])
    for defender, sign in zip(LETTERS, signs, strict=True)
]


def result(attacker, defender, mines_left=True, **rules):
    return fight(TYPE_OF[attacker], TYPE_OF[defender], Rules(**rules), mines_left)


def test_the_table_is_complete():
    assert len(CELLS) == 10 * 12


@pytest.mark.parametrize(("attacker", "defender", "wanted"), CELLS)
def test_combat(attacker, defender, wanted):
    assert result(attacker, defender) == wanted
    western = BOTH_DIED if defender == "j" and attacker not in "ik" else wanted
    assert result(attacker, defender, mine="dies") == western


def test_a_bomb_that_may_not_take_the_flag_is_lost():
    assert result("k", "l", bomb_takes_flag=False) == DIED
    assert result("k", "j", bomb_takes_flag=False) == BOTH_DIED


@pytest.mark.parametrize("attacker", "abcdefghik")
def test_a_flag_behind_mines_cannot_be_taken(attacker):
    assert result(attacker, "l", mines_left=True, flag="mines") == DIED
    assert result(attacker, "l", mines_left=False, flag="mines") == result(attacker, "l")


# own piece, whether it attacks, what happened to the attacker → what the enemy's piece can be
DEDUCTIONS = [
    ("e", True, WON, "fghi"),
    ("e", True, DIED, "abcdj"),
    ("e", True, BOTH_DIED, "ek"),
    ("e", False, WON, "abcd"),
    ("e", False, DIED, "fghi"),
    ("e", False, BOTH_DIED, "ek"),
    ("i", True, WON, "j"),
    ("i", True, DIED, "abcdefgh"),
    ("i", False, BOTH_DIED, "ik"),
    ("j", False, DIED, "abcdefgh"),
    ("j", False, WON, "i"),
    ("j", False, BOTH_DIED, "k"),
    ("k", True, BOTH_DIED, "abcdefghijk"),
    ("k", False, BOTH_DIED, "abcdefghik"),
    ("a", True, DIED, "j"),
    ("a", False, BOTH_DIED, "ak"),
]


@pytest.mark.parametrize(("own", "attacks", "seen", "wanted"), DEDUCTIONS)
def test_what_a_result_tells(own, attacks, seen, wanted):
    types = types_after(Rules(), TYPE_OF[own], attacks, seen)
    attackers = types if attacks else types & ~type_set("jl")  # mines and flags never attack
    assert letters_of(attackers) == wanted


def test_what_a_result_tells_under_other_rules():
    dies = Rules(mine="dies")
    assert letters_of(types_after(dies, TYPE_OF["e"], True, BOTH_DIED)) == "ejk"
    assert letters_of(types_after(dies, TYPE_OF["e"], True, DIED)) == "abcd"
    behind_mines = Rules(flag="mines")
    assert letters_of(types_after(behind_mines, TYPE_OF["a"], True, DIED)) == "jl"
    assert letters_of(types_after(Rules(bomb_takes_flag=False), TYPE_OF["k"], True, DIED)) == "l"
    assert types_after(behind_mines, FLAG, False, DIED) == type_set(LETTERS)  # whoever it was, it ran into the flag
