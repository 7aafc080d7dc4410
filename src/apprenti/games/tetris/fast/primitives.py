"""Compiled pieces of the rules, for the compiled algorithms of other rooms (`…_kernel.py`)."""

from apprenti.games.tetris.kernel import layout as at
from apprenti.games.tetris.kernel.batch import begin_one, is_allowed, ready, step_one, take_board
from apprenti.games.tetris.kernel.choose import NEVER, allow, choose, pile_height, prospect
from apprenti.games.tetris.kernel.keys import press_one
from apprenti.games.tetris.kernel.lanes import (
    LANES,
    above_real,
    address,
    load,
    pointers_to,
    select,
    spread_real,
    store,
)
from apprenti.games.tetris.kernel.layout import Tables, game_in, player_scratch_in
from apprenti.games.tetris.kernel.measure import TERMS_SIZE, Recipes, describe, measure, measure_move
from apprenti.games.tetris.kernel.placement import lay_down, resting_row, settle
from apprenti.games.tetris.kernel.play import add_to_result, clear_board, deal, write_odds
from apprenti.games.tetris.kernel.walls import (
    DEAD,
    MOST_COLUMNS,
    PIECES,
    DropTables,
    after,
    image_of,
    rank,
    try_drops,
    write_heights,
)
