"""Playing given moves again, to see whether they are legal and lead to the same results."""

from apprenti.core.compiled import kernel
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.moves import targets
from apprenti.games.luzhanqi.kernel.play import apply

SEEN = 7
"""What is seen of a move: its result, both flags if public, the outcome, the winner, and the fighters if shown."""


@kernel
def replay(rules, game, moves, seen):
    """Make moves, rows of (from, to), while they are legal, and write down what is seen; returns how many were."""
    for number in range(len(moves)):
        origin, target = moves[number, 0], moves[number, 1]
        mover, met = game[at.BOARD + origin], game[at.BOARD + target]
        if game[at.OUTCOME] != at.GOING_ON or mover < 0 or mover // 25 != game[at.TO_MOVE]:
            return number
        if not (targets(rules, game, mover, origin) >> target) & 1:
            return number
        shown = rules[at.SHOW] and met >= 0
        seen[number, 5] = game[at.TYPE + mover] if shown else -1
        seen[number, 6] = game[at.TYPE + met] if shown else -1
        seen[number, 0] = apply(rules, game, origin, target)
        for other in range(2):
            seen[number, 1 + other] = game[at.FLAGS + other]
            seen[number, 3 + other] = game[at.OUTCOME + other]
    return len(moves)
