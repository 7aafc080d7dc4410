"""What may come after given boards, one piece further."""

import numpy as np

from apprenti.core.compiled import kernel
from apprenti.games.tetris.fast.primitives import (
    LANES,
    Tables,
    address,
    at,
    clear_board,
    game_in,
    player_scratch_in,
    pointers_to,
    prospect,
    take_board,
    write_odds,
)


@kernel()
def prospects(plan, tables, games, weights, boards, owners, scratch, fatal, answers):
    """For each board the probability of a fatal next piece, and the mean value of the best answer to the others.

    `owners` says in which game a board may come about: what can be dealt there depends on it.
    """
    rules, space, none = pointers_to(Tables, tables), player_scratch_in(scratch), np.zeros(1, np.uint64)
    clear_board(rules.game, space.ahead)
    for i in range(len(owners)):
        own = game_in(games, owners[i]).own
        take_board(address(boards, i * LANES), space.ahead)
        space.bag[0] = own[at.G_BAG]
        write_odds(plan, rules, space, own[at.G_DEALT], own[at.G_NEXT])
        fatal[i], answers[i] = prospect(plan, rules, address(weights, 0), space, address(none, 0))
        whole = 0.0
        for piece in range(rules.game[at.PIECES]):
            whole += space.odds[piece]
        fatal[i] /= whole
