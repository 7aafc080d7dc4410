"""What is true of a player of a small board, over all games there are: no sampling."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from apprenti.games.mnk.fast.tree import Mask, Tree, tree_of
from apprenti.games.mnk.kernel.tree import GOES_ON, PERFECT, RANDOM, WORST, chances
from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State

OPPONENTS = {"random": RANDOM, "perfect": PERFECT, "worst": WORST}


@dataclass(frozen=True)
class Chances:
    """How likely a game is won, drawn and lost."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        """A win is 1, a draw a half."""
        return self.win + self.draw / 2


def meets(tree: Tree, best: Mask, opponent: str) -> tuple[Chances, Chances]:
    """The exact chances as X and as O of a player who chooses among `best`, each as likely.

    The opponent is `random`, `perfect` (any move that keeps the value, each as likely) or `worst`: the one of all
    opponents who makes it lose most often.
    """
    kind = OPPONENTS[opponent]
    as_x, as_o = (Chances(*chances(tree.after, tree.ply, tree.result, tree.value, best, side, kind)) for side in (0, 1))
    return as_x, as_o


def never_loses(tree: Tree, best: Mask) -> bool:
    """Whether no opponent can ever beat the player, as X or as O, whichever of its best moves it chooses."""
    return all(side.loss == 0 for side in meets(tree, best, "worst"))


def share_optimal(tree: Tree, best: Mask) -> float:
    """In how many of all positions its choice keeps the value; where it draws among moves, as a share of them."""
    open_ = tree.result == GOES_ON
    share = (best & tree.optimal)[open_].sum(axis=1) / best[open_].sum(axis=1)
    return float(np.average(share, weights=tree.images[open_]))


def state_of(rules: Rules, code: int) -> State:
    """The position of a code."""
    return State(rules, "".join(".XO"[code // 3**cell % 3] for cell in range(rules.cells)))


def best_moves(rules: Rules, best: Callable[[State], Iterable[int]]) -> tuple[Tree, Mask]:
    """The tree of a board, and for each position the moves that any player may choose: it is asked for every one."""
    tree = tree_of(rules, symmetric=False)
    found = np.zeros(tree.after.shape, np.bool_)
    for number in np.flatnonzero(tree.result == GOES_ON):
        found[number, list(best(state_of(rules, int(tree.codes[number]))))] = True
    return tree, found
