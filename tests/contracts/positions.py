"""Random games of every game there is, of both toy games and of one for three players, for the contracts."""

from functools import cache

import connect_four
import game_2048

from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream, pick
from tests import three_players

TOYS = {game.name: game for game in (connect_four.GAME, game_2048.GAME, three_players.GAME)}
NAMES = [*GAMES, *TOYS]
SMALL = {"tetris": {"size": "6x8"}, "mnk": {"size": "4x4x3"}, "luzhanqi": {"rules": "mini"}, "2048": {"size": 3}}
"""Rules under which a game is soon over; all others are small as they are."""
LONGEST = 10_000


def load(name):
    """A game by name."""
    return TOYS[name] if name in TOYS else GAMES.load(name)


def small(name):
    """Rules under which a game is soon over."""
    return load(name).rules(**SMALL.get(name, {}))


def begun(name, seed=1, rules=None):
    """The first state of a game."""
    return load(name).start(rules or small(name), [Stream.named(seed, "opening", side) for side in (0, 1)])


@cache
def played(name, seed=1, rules=None):
    """A random game: every state, and the moves of its players."""
    state, rng, chance = begun(name, seed, rules), Stream.named(seed, "moves"), Stream.named(seed, "chance")
    states, moves = [state], []
    while not state.outcome and len(moves) < LONGEST:
        if state.turn == CHANCE:
            state = state.deal(chance)
        else:
            moves.append(pick(rng, state.legal_moves()))
            state = state.play(moves[-1])
        states.append(state)
    return tuple(states), tuple(moves)


def some(states, number=12):
    """The first and the last state, and some between them."""
    return [*states[: -1 : max(1, len(states) // number)], states[-1]]


def decisions(states):
    """The states in which a player has to move."""
    return [state for state in states if state.turn >= 0]
