"""A player whose value of a placement is a weighted sum of criteria and of exact values of windows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.batch_games import BatchGames
from apprenti.games.tetris.fast.exact_windows import ExactWindows
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.rules import Rules
from apprenti.learn.tetris.choice_model import Choices, fit


@dataclass(frozen=True)
class WindowPlayer(BatchGames):
    """Weights for criteria, and for the windows of a group."""

    rules: Rules
    criteria: tuple[str, ...]
    windows: ExactWindows | None
    group: str
    weights: NDArray[np.float64]
    """Of the criteria, then of the windows."""

    def actions(self, batch: Batch) -> NDArray[np.int64]:
        """The placement of each game with the greatest sum; one that ends the game only if all do."""
        after = batch.afterstates()
        numbers = [] if self.windows is None else [self.windows.numbers(self.rules, after.columns, self.group)]
        if self.criteria:
            numbers = [Measures(self.rules, self.criteria).of_afterstates(batch, after), *numbers]
        return after.best(np.where(after.over, -np.inf, np.hstack(numbers) @ self.weights))


def taught(
    rules: Rules, criteria: Sequence[str], windows: ExactWindows | None, group: str, choices: Choices
) -> WindowPlayer:
    """The player whose weights make the teacher's choices likeliest; `choices` are described by the criteria."""
    described = choices.with_more(windows.numbers(rules, choices.columns, group)) if windows else choices
    weights = fit(described, range(described.features.shape[1])) / described.scale
    return WindowPlayer(rules, tuple(criteria), windows, group, weights)
