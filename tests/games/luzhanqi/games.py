"""Games to test with."""

from hypothesis import strategies as st

from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import parse_move
from apprenti.games.luzhanqi.layout import uniform_layout
from apprenti.games.luzhanqi.rules import PRESETS

SMALL_ARMY = "010100102111"
"""b, d, g, two engineers, a mine, a bomb and the flag: few enough to try all layouts."""
ARMIES = {
    "full": [Rules().army, Rules().army, SMALL_ARMY, "112111112111"],
    "mini": [Rules.preset("mini").army, SMALL_ARMY, "111111223321"],  # the last fills all of its 19 points
}

PERFT = [
    ("ccgc", ("diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld"), [34, 1092, 34305, 1027124]),
    ("mini", ("g...ik........e.iaj..l...", "ai.........g..k.e..i..jl."), [32, 899, 26710, 808910]),
]
"""Rules, two layouts, and how many lines of play there are of one move, two, …"""


@st.composite
def any_rules(draw):
    """Rules with any of their options."""
    board = draw(st.sampled_from(["full", "full", "mini"]))
    return Rules(
        name=draw(st.sampled_from(sorted(PRESETS))),
        mine=draw(st.sampled_from(["stays", "dies"])),
        bomb_takes_flag=draw(st.booleans()),
        headquarters=draw(st.sampled_from(["lock", "free"])),
        reveal_flag=draw(st.booleans()),
        show_fights=draw(st.booleans()),
        flag=draw(st.sampled_from(["wins", "carried", "mines"])),
        bombs_turn=draw(st.booleans()),
        quiet_limit=draw(st.sampled_from([31, 40, 70])),
        quiet_draw=draw(st.booleans()),
        max_moves=draw(st.sampled_from([0, 120])),
        army=draw(st.sampled_from(ARMIES[board])),
        board=board,
    )


def begin(rules, rng):
    """A game between two random layouts."""
    return State.start(uniform_layout(rules, rng), uniform_layout(rules, rng), rules)


def eager_move(state, rng):
    """A random move, an attack half of the time there is one: random games hardly fight."""
    legal = state.legal_moves()
    attacks = [move for move in legal if state.record.board[parse_move(move)[1]] >= 0]
    return pick(rng, attacks) if attacks and rng.random() < 0.5 else pick(rng, legal)


def random_game(rules, seed, moves=10_000):
    """The states of a game in which both players attack often."""
    rng = Stream(seed)
    state = begin(rules, rng)
    yield state
    while not state.outcome and moves:
        state = state.play(eager_move(state, rng))
        yield state
        moves -= 1
