"""Solutions of exercise 4. `apprenti watch course/solutions/exercise_04.py` shows the agent."""


def kept(moves, criterion):
    least = min(criterion(move) for move in moves)
    return [move for move in moves if criterion(move) == least]


def filtered(moves, criteria):
    for criterion in criteria:
        moves = kept(moves, criterion)
    return list(moves)


def evaluation(lines, heights, holes, bumpiness, weights):
    a, b, c, d = weights
    return a * lines - b * heights - c * holes - d * bumpiness


def choose(observation, legal, rng):
    """The report's filtering agent: holes, heights, bumpiness; then lines, most of them."""
    board, rows = observation.board, len(observation.board.rows)

    def after(move):
        return board.with_cells(move.cells, move.piece).without_lines(rows)

    boards = {move: after(move) for move in legal}
    criteria = [
        lambda move: boards[move][0].holes,
        lambda move: boards[move][0].sum_heights,
        lambda move: boards[move][0].bumpiness,
        lambda move: -boards[move][1],
    ]
    return filtered(legal, criteria)[0]
