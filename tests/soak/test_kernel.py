"""Both engines of Tetris play the same games with any of all criteria, under any rules. `make soak PART=kernel`."""

from itertools import count

from hypothesis import given, seed, settings
from hypothesis import strategies as st

from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.fast.players import CompiledPlayer
from tests.games.tetris.test_kernel import same_game
from tests.helpers import EVERYTHING, rules, weights
from tests.soak.campaign import campaign

AT_ONCE = 20
"""Games between two looks at the clock."""


@settings(max_examples=AT_ONCE, derandomize=False)
@given(st.data(), rules(), st.integers(0, 2**32))
def plays_the_same(data, rules, number):
    chosen = data.draw(weights(rules.width))
    player = CompiledPlayer.of(chosen, plan=EVERYTHING)
    same_game(LinearAgent(chosen), player, rules, number, pieces=25)


def cases():
    """Games with weights and rules of all kinds; of some that are played at once, the first difference."""
    for root in count():
        try:
            seed(root)(plays_the_same)()
        except AssertionError as error:
            yield f"with seed {root}: {error}"
        yield from [""] * AT_ONCE


def test_engines_play_the_same_games():
    campaign("games of both engines", cases())
