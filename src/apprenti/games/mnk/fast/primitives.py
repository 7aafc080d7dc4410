"""The board as compiled code has it, for the compiled algorithms of other rooms (`…_kernel.py`)."""

from apprenti.games.mnk.kernel.board import board_of, has_row
