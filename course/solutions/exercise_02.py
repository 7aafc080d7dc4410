"""Solutions of exercise 2."""

from apprenti import CHANCE


def fits(grid, cells, row, column):
    for down, right in cells:
        r, c = row + down, column + right
        if not (0 <= r < len(grid) and 0 <= c < len(grid[0])):
            return False
        if grid[r][c] != 0:
            return False
    return True


def dropped(grid, cells, column):
    row = 0
    while fits(grid, cells, row + 1, column):
        row += 1
    return row


def final_state(state, choose, rng):
    while state.outcome is None:
        if state.turn == CHANCE:
            state = state.deal(rng)
        else:
            move = choose(state.observation(state.turn), state.legal_moves(), rng)
            state = state.play(move)
    return state
