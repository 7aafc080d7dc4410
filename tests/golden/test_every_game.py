"""A random game of every game there is, as text: a change of rules, notation or randomness is a readable difference.

If the change is meant, write the files anew and read the difference before it is committed:

    PYTHONPATH=examples python -m tests.golden.test_every_game && git diff tests/golden
"""

from pathlib import Path

import pytest

from apprenti.core.protocols import CHANCE, OVER
from tests.contracts.positions import NAMES, TOYS, load, played, small

FOLDER = Path(__file__).with_name("games")
WHOLE = 16
"""Positions at the beginning that are written down whole; then every tenth, and the last."""
SEVERAL = 6
"""Legal moves that are named."""


def playthrough(name: str) -> str:
    """Rules, positions, what each player knows, moves, and how it ended."""
    game, rules, (states, moves) = load(name), small(name), played(name)
    left, lines = iter(moves), [f"{name}, a random game of seed 1", game.describe(rules), ""]
    for number, state in enumerate(states):
        if number < WHOLE or number % 10 == 0 or state is states[-1]:
            lines += position(game, state)
        if state.turn >= 0:
            lines.append(f"{number:>4}: {game.sides[state.turn]} plays {game.write_move(next(left))}")
        elif state.turn == CHANCE:
            lines.append(f"{number:>4}: chance, one of {len(state.chances())}")
    measures = ", ".join(f"{what} {value}" for what, value in game.measures(states[-1]).items())
    outcome = states[-1].outcome
    return "\n".join([*lines, f"{outcome.reason}; scores {outcome.scores}; {measures}"]) + "\n"


def position(game, state) -> list[str]:
    """A position, what each player knows where that is less, and the legal moves."""
    written = game.write_state(state)
    known = {game.sides[player]: game.write_observation(state.observation(player)) for player in range(game.players)}
    legal = [game.write_move(move) for move in state.legal_moves()]
    named = " ".join(legal[:SEVERAL]) + (f" and {len(legal) - SEVERAL} more" if len(legal) > SEVERAL else "")
    lines = [f"      {written}"]
    if state.turn not in (CHANCE, OVER):
        lines += [f"      {side} knows {text}" for side, text in known.items() if text != written]
        lines.append(f"      legal: {named}")
    return lines


@pytest.mark.parametrize("name", NAMES)
def test_the_game_is_the_golden_one(name):
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), __doc__


def test_every_file_is_of_a_game():
    assert {path.stem for path in FOLDER.iterdir()} == set(NAMES)


if __name__ == "__main__":
    from apprenti.core.plugins import Entry, Plugin, registered

    FOLDER.mkdir(exist_ok=True)
    with registered(
        Plugin(games={name: Entry(f"{type(game).__module__}:GAME", "a toy") for name, game in TOYS.items()})
    ):
        for name in NAMES:
            (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
