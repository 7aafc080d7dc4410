"""Draw a position of a player's game as SVG: python examples/draw_a_position.py dellacherie game.svg"""

import sys
from pathlib import Path

import apprenti
from apprenti.games.tetris.views.pictures import board_svg

name, path = sys.argv[1:3] if len(sys.argv) > 2 else ("dellacherie", "game.svg")
played = apprenti.evaluate(name, games=1, seed=7, max_pieces=400, preview=True)
states = played.replay(played.records[0]).states()  # plays it again, state by state
middle = max((state for state in states if state.turn == 0), key=lambda state: state.board.sum_heights)
Path(path).write_text(board_svg(middle, f"{name}, {middle.tally.lines} lines"))
print(f"{path}: {middle.notation}")
