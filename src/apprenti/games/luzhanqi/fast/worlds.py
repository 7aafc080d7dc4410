"""Worlds: games as they may be, from what a player knows and layouts drawn for the enemy."""

import numpy as np

from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.fast.arrays import Ints, game_of, rules_array
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.worlds import SHOWN_FLAGS, fill_worlds
from apprenti.games.luzhanqi.moves import NOBODY
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import NONE
from apprenti.games.luzhanqi.record import Record


def fights_of(record: Record) -> Ints:
    """The fights of a record as a table."""
    rows = [(f.attacker, f.defender, f.result, f.flag, *f.revealed) for f in record.fights]
    return np.array(rows, dtype=np.int64).reshape(-1, SHOWN_FLAGS + 2)


def blank_world(seen: Observation) -> Ints:
    """The game as an array, as far as a player knows it: the enemy's types are none."""
    assert seen.record is not None, "the armies are not set up yet"
    types = [NONE] * (2 * SLOTS)
    types[SLOTS * seen.player : SLOTS * seen.player + SLOTS] = seen.own_types
    game = game_of(seen.rules, seen.record, types, knowledge=False)
    enemy = 1 - seen.player
    game[at.DEDUCED + SLOTS * enemy : at.DEDUCED + SLOTS * enemy + SLOTS] = seen.deduced
    game[at.FLAG_PIECE + enemy] = NOBODY
    return game


def worlds_of(seen: Observation, layouts: Ints) -> Ints:
    """Worlds from what a player knows and layouts drawn for the enemy, a row each."""
    assert seen.record is not None, "the armies are not set up yet"
    out = np.empty((len(layouts), at.SIZE), dtype=np.int64)
    fill_worlds(rules_array(seen.rules), blank_world(seen), seen.player, layouts, fights_of(seen.record), out)
    return out
