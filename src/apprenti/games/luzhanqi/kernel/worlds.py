"""Worlds: games as they may be, with types drawn for the enemy's pieces and all that follows for what each knows."""

from apprenti.core.compiled import kernel, lent
from apprenti.games.luzhanqi.board import SLOTS
from apprenti.games.luzhanqi.combat import DIED, WON
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.begin import set_types
from apprenti.games.luzhanqi.kernel.bits import copy
from apprenti.games.luzhanqi.pieces import FLAG, MARSHAL, MOBILE, NONE

ATTACKER, DEFENDER, RESULT, FLAG_FELL, SHOWN_FLAGS = range(5)
"""The columns of a table of fights; the last two numbers are for player 0 and 1."""


@lent
def deduce_again(rules, game, owner, fights):
    """What the enemy of `owner` knows of the owner's pieces, once the types of both are there."""
    for slot in range(SLOTS):
        piece = SLOTS * owner + slot
        types = rules[at.ALLOWED + slot] if game[at.TYPE + piece] != NONE else 0
        if game[at.FACTS + piece] & at.HAS_MOVED:
            types &= MOBILE
        if game[at.FACTS + piece] & at.HAS_TURNED:
            types &= rules[at.TURNING]
        game[at.DEDUCED + piece] = types
    public = False
    for number in range(len(fights)):
        attacks = fights[number, ATTACKER] // SLOTS == owner
        piece = fights[number, ATTACKER if attacks else DEFENDER]
        other = fights[number, DEFENDER if attacks else ATTACKER]
        result = fights[number, RESULT]
        if rules[at.SHOW]:
            types = 1 << game[at.TYPE + piece]
        elif fights[number, FLAG_FELL] and not attacks:
            types = 1 << FLAG
        else:
            types = rules[at.AFTER + (game[at.TYPE + other] * 2 + (0 if attacks else 1)) * 4 + result]
            fell = result != WON if attacks else result != DIED
            if fell and rules[at.REVEAL] and not public and not fights[number, FLAG_FELL]:
                types &= (1 << MARSHAL) if fights[number, SHOWN_FLAGS + owner] else ~(1 << MARSHAL)
        game[at.DEDUCED + piece] &= types
        public |= fights[number, SHOWN_FLAGS + owner] or (fights[number, FLAG_FELL] and not attacks)
    if game[at.FLAGS + owner] >= 0 and game[at.CARRIERS + owner] < 0:
        game[at.DEDUCED + game[at.BOARD + game[at.FLAGS + owner]]] &= 1 << FLAG


@kernel
def fill_worlds(rules, game, player, layouts, fights, out):
    """A copy of the game for each layout of the player's enemy, with what both then know."""
    for number in range(len(layouts)):
        world = out[number]
        copy(game, world)
        set_types(world, 1 - player, layouts[number])
        deduce_again(rules, world, player, fights)
