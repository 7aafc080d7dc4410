"""A whole game of Luzhanqi as text: a change of the rules, the players or the randomness is a readable difference.

If the change is meant, write the file anew and read the difference before it is committed:

    python -m tests.golden.test_luzhanqi && git diff tests/golden
"""

from pathlib import Path

import numpy as np

from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.players import ExpectedValuePlayer, GreedyPlayer
from apprenti.games.luzhanqi.fast.arrays import replayed, rules_array, types_of
from apprenti.games.luzhanqi.fast.primitives import at, begun
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.pieces import letters_of

GOLDEN = Path(__file__).with_name("luzhanqi-expected-greedy.txt")


def known(state: State, player: int) -> str:
    """What a player knows of the enemy's 25 slots."""
    return " ".join(letters_of(types) for types in state.observation(player).possible)


def playthrough() -> str:
    """The expected-value player against the greedy one: every move, and every tenth position with what is known."""
    players = ExpectedValuePlayer(layouts="book"), GreedyPlayer(layouts="book")
    chances = [Stream.named(1, side) for side in (0, 1)]
    state = GAME.start(Rules(), chances, players)
    lines = ["expected value (south) against greedy (north)", state.rules.description, state.notation, ""]
    while not state.outcome:
        side = state.to_move
        move = players[side].choose(state.observation(side), state.legal_moves(), chances[side])
        legal = len(state.legal_moves())
        state = state.play(move)
        shown = " ".join(filter(None, (state.revealed_flag(0), state.revealed_flag(1))))
        lines.append(f"{len(state.record.moves):>3}: {move} of {legal}, {state.last_result} {shown}".rstrip())
        if len(state.record.moves) % 10 == 0:
            lines += [f"     {state.placement}", *(f"     {known(state, player)}" for player in (0, 1))]
    return "\n".join([*lines, "", f"{state.outcome.reason}, {GAME.sides[state.outcome.winner]} wins"]) + "\n"


def test_the_game_is_the_golden_one():
    assert playthrough() == GOLDEN.read_text(encoding="utf-8"), __doc__


def test_the_compiled_game_is_the_golden_one():
    text = GOLDEN.read_text(encoding="utf-8").splitlines()
    layouts = text[2].split("/")
    state = State.parse(" ".join([text[2], *(line.split()[1] for line in text if " of " in line)]))
    moves = np.array([move[:2] for move in state.record.moves], dtype=np.int64)
    game = begun(rules_array(Rules()), *map(types_of, layouts))
    seen = replayed(rules_array(Rules()), game, moves)
    assert [move.result for move in state.record.moves] == seen[:, 0].tolist()
    assert text[-1].endswith(f"{GAME.sides[game[at.WINNER]]} wins")


if __name__ == "__main__":
    GOLDEN.write_text(playthrough(), encoding="utf-8")
