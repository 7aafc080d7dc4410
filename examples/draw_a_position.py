"""Draw a position of a player's game as SVG: python examples/draw_a_position.py dellacherie game.svg"""

import sys
from pathlib import Path

from apprenti.arena.game import play_game
from apprenti.games.tetris import Rules, State
from apprenti.lab.agents import find
from apprenti.views.tetris.svg import board_svg

name, path = sys.argv[1:3] if len(sys.argv) > 2 else ("dellacherie", "game.svg")
seen: list[State] = []
play_game(find(name).agent, Rules.preset("simplified", max_pieces=400, preview=True), (7, 7), seen.append)
middle = max((state for state in seen if state.piece), key=lambda state: state.board.sum_heights)
Path(path).write_text(board_svg(middle, f"{name}, {middle.tally.lines} lines"))
print(f"{path}: {middle.notation}")
