"""Positions of m,n,k-games to test with."""

from functools import cache

from hypothesis import strategies as st

from apprenti.games.mnk import Rules, State


@cache
def reachable(rules):
    """Every position that a game reaches."""
    found, new = set(), {State.start(rules)}
    while new:
        found |= new
        new = {state.play(cell) for state in new for cell in state.legal_moves()} - found
    return found


@st.composite
def all_rules(draw, longest=6):
    """Rules of small boards."""
    rows, columns = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    return Rules(rows, columns, draw(st.integers(1, max(rows, columns))))


@st.composite
def positions(draw, rules=None, longest=6):
    """Positions of random games, finished ones too."""
    state = State.start(rules or draw(all_rules(longest)))
    for _ in range(draw(st.integers(0, state.rules.cells))):
        legal = state.legal_moves()
        if not legal:
            break
        state = state.play(draw(st.sampled_from(legal)))
    return state
