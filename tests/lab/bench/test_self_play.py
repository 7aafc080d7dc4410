"""What an iteration plays is told from what it learns."""

from time import process_time

import pytest

from apprenti.lab.bench import self_play
from tests.learn import tiny


class Learner:
    """Plays three times as long as it learns."""

    def rollout(self):
        work(0.06)

    def step(self):
        self.rollout()
        work(0.02)


def work(seconds):
    end = process_time() + seconds
    while process_time() < end:
        pass


def test_the_share_of_self_play_is_that_of_the_processor_time():
    learner = Learner()
    played, whole = self_play.spent(learner, learner, "rollout", 2)
    assert played / whole == pytest.approx(0.75, abs=0.05)
    assert whole == pytest.approx(0.08, abs=0.01)


def test_ppo_and_dqn_play_and_learn_in_an_iteration(monkeypatch):
    small = {method: (method, {**tiny.TINY[method], "test_games": 0}) for method in ("ppo", "dqn")}
    monkeypatch.setattr(self_play, "LEARNERS", small)
    figures = {figure.name: figure.value for figure in self_play.figures(quick=True)}
    assert list(figures) == [f"{name}: {part}" for name in small for part in ("an iteration", "of it self-play")]
    assert all(0 < figures[f"{name}: of it self-play"] < 100 for name in small)
