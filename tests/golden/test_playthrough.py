"""A whole game as text: a change of the rules, the criteria or the randomness is a readable difference.

If the change is meant, write the file anew and read the difference before it is committed:

    python -m tests.golden.test_playthrough && git diff tests/golden
"""

import re
from pathlib import Path

from apprenti.arena.game import seeds_of_game
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules, deal, place, start
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.game import GAME

GOLDEN = Path(__file__).with_name("filtering-6x6.txt")
RULES = Rules.preset("tetrisbot", "6x6")
SEED = 3


def playthrough() -> str:
    """The first game of `apprenti evaluate filtering --size 6x6 --seed 3`, every board after its piece."""
    agent, state = FilteringAgent(), start(RULES)
    seeds = seeds_of_game(SEED, 0)
    chance, luck = Stream(seeds.chance), Stream(seeds.players[0])
    lines = ["filtering agent, the first game of seed 3", RULES.description, ""]
    while not state.outcome:
        state = deal(state, chance)
        if state.outcome:
            break
        before = state
        placement = agent.choose(state.observation(), state.legal, luck)
        state = place(state, placement)
        lines.append(
            f"{state.tally.pieces:>2}: {before.piece}, then {before.next_piece}, bag {before.bag or '-'}: {placement}"
            f" of {len(before.legal)}, {state.tally.lines} lines, {state.tally.points} points"
        )
        lines.append(str(state.board))
    clears = " ".join(f"{size}×{count}" for size, count in enumerate(state.tally.clears, 1) if count)
    return "\n".join([*lines, "", f"{state.outcome.reason}; clears {clears}"]) + "\n"


def test_the_game_is_the_golden_one():
    assert playthrough() == GOLDEN.read_text(encoding="utf-8"), __doc__


def test_the_compiled_engine_plays_the_golden_game():
    (played,) = GAME.fast(RULES, [FilteringAgent()]).play([seeds_of_game(SEED, 0)], moves=1000)
    text = GOLDEN.read_text(encoding="utf-8")
    assert re.findall(r"P:\d+:\d+", text) == list(played.moves)
    assert f"{played.measures['lines']} lines, {played.measures['points']} points" in text.rpartition(" of ")[2]


if __name__ == "__main__":
    GOLDEN.write_text(playthrough(), encoding="utf-8")
