"""What the choices of policies lose, for sixteen policies at once."""

from apprenti.core.compiled import kernel
from apprenti.games.tetris.fast.primitives import LANES, NEVER, above_real, address, load, select, spread_real, store


@kernel()
def add_losses(criteria, values, starts, size, vectors, losses):
    """For each of sixteen policies add max Q̂ − Q̂ of the placement it chooses, over all states (equation 11).

    `criteria` has a row for each placement, `vectors` one for each criterion: the weights of all policies side by side.
    Of equal placements the first is chosen.
    """
    weights, sums = address(vectors, 0), address(losses, 0)
    lost = load(sums, 0)
    for state in range(len(starts) - 1):
        top, most, chosen = NEVER, spread_real(NEVER), spread_real(0.0)
        for k in range(starts[state], starts[state + 1]):
            top, value = max(top, values[k]), spread_real(0.0)
            for j in range(size):
                value += spread_real(criteria[k * size + j]) * load(weights, j * LANES)
            better = above_real(value, most)
            most, chosen = select(better, value, most), select(better, spread_real(values[k]), chosen)
        lost += spread_real(top) - chosen
    store(sums, 0, lost)
