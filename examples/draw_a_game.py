"""Draw a player's game as a moving picture, with what it thinks: python examples/draw_a_game.py dellacherie game.svg"""

import sys
from itertools import islice
from pathlib import Path

import apprenti
from apprenti.games.tetris.views.pictures import Frame, moving_svg
from apprenti.views.thoughts import thoughts_of

PIECES = 48

name, path = (sys.argv[1:] + ["dellacherie", "game.svg"][len(sys.argv) - 1 :])[:2]
player = apprenti.agent(name, "tetris")
played = apprenti.evaluate(name, games=1, seed=4, max_pieces=PIECES + 1, workers=1)
waiting = (state for state in played.replay(played.records[0]).states() if state.turn == 0)
frames = [Frame(state, thoughts_of(player, state.observation(0))) for state in islice(waiting, PIECES)]
Path(path).write_text(moving_svg(frames, name), encoding="utf-8")
print(f"{path}: {len(frames)} pieces, {frames[-1].state.tally.lines} lines")
