"""Random games of every game for two, for the contracts."""

from functools import cache

from apprenti.agents.random import RandomMoves
from apprenti.core.seeds import Stream, pick
from apprenti.games.catalogue import GAMES_FOR_TWO

LONGEST = 10_000


def begun(name, seed=1, rules=None):
    """The first position of a game."""
    game = GAMES_FOR_TWO.load(name)
    chances = [Stream.named(seed, "opening", side) for side in (0, 1)]
    return game.begin(rules or game.rules(), (RandomMoves(), RandomMoves()), chances)


@cache
def played(name, seed, rules=None):
    """A random game: every position, and the moves between them."""
    state, rng = begun(name, seed, rules), Stream.named(seed, "moves")
    states, moves = [state], []
    while not state.outcome and len(moves) < LONGEST:
        moves.append(pick(rng, state.legal_moves()))
        state = state.play(moves[-1])
        states.append(state)
    return tuple(states), tuple(moves)


def some(states, number=12):
    """The first and the last position, and some between them."""
    return [*states[: -1 : max(1, len(states) // number)], states[-1]]
