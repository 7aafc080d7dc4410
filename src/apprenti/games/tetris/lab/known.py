"""What a run of Q-learning knows, as the report's picture in levels of grey."""

from pathlib import Path

from apprenti.lab.train import build_learner
from apprenti.store.runs import Run

METHOD = "q-learning"


def draw_known(run: Run) -> Path | None:
    """A picture of how often a run has met what its states are made of, in its folder; None for another method."""
    about = run.about()
    checkpoint = run.load() if about["method"] == METHOD else None
    if checkpoint is None:
        return None
    from apprenti.games.tetris.learn.q_learning import QLearning
    from apprenti.games.tetris.views.figures import cells_known

    learner = build_learner(METHOD, about["config"])
    assert isinstance(learner, QLearning)
    learner.restore(checkpoint.state)
    path = run.folder / "known.png"
    differences = learner.config.max_difference if learner.config.state == "differences" else None
    cells_known(learner.known(), f"what run {run.name} has met", path, differences)
    return path
