"""Options that cannot be are refused in one sentence that names them."""

import pytest

from apprenti.core.errors import ApprentiError
from tests.learn.tiny import config, learner

UNDISCOUNTED = ({"gamma": 1.0}, "--gamma must be below 1")
WRONG = {
    "lambda-pi": [
        ({"lam": 1.2}, "--lam must be between 0 and 1"),
        ({"lam": float("nan")}, "--lam must be between 0 and 1"),
        ({"gamma": -0.1}, "--gamma must be between 0 and 1"),
        ({"episodes": 0}, "--episodes must be at least 1"),
        ({"iterations": 0}, "--iterations must be at least 1"),
        ({"max_pieces": -1}, "--max-pieces must be from 0"),
        ({"keep": "all"}, "--keep is last or best"),
        ({"criteria": "bertsekas", "initial_weights": (1.0,)}, "--initial-weights takes 22 finite weights"),
        ({"random_start": True, "initial_weights": (1.0,)}, "leave out --initial-weights"),
        ({"criteria": "hoels"}, "did you mean holes"),
        ({"size": "10x28"}, "up to 26 rows"),
        ({"workers": -1}, "--workers"),
    ],
    "avi": [({"rules": "tetrisbot"}, "dealt uniform or weighted")],
    "lspi": [
        ({"samples": 0}, "--samples must be at least 1"),
        ({"rules": "tetrisbot"}, "dealt uniform or weighted, not bag"),
    ],
    "natural-gradient": [UNDISCOUNTED],
    "linear-program": [UNDISCOUNTED, ({"rules": "tetrisbot"}, "needs pieces dealt uniform")],
    "relational": [({"kernel_width": 0.0}, "--kernel-width must be above 0")],
    "cbmpi": [
        ({"states": 0}, "--states"),
        ({"rollout": 0}, "--rollout"),
        ({"population": 3}, "--population is at least 4"),
        ({"sampler": "holes"}, "a weight for each criterion"),
        ({"sampler": "hole=1"}, "criterion"),
        ({"criteria": "holes"}, "at least two weights"),
        ({"states": 10**9}, "of memory"),
    ],
    "q-learning": [
        ({"clock": "hours"}, "--clock"),
        ({"learning_rate_decay": -1.0}, "--learning-rate-decay"),
        ({"learning_rate": 2.0}, "--learning-rate"),
        ({"gamma": -1.0}, "--gamma"),
        ({"epsilon": 1.1}, "--epsilon"),
        ({"episodes": 0}, "--episodes"),
        ({"max_pieces": -1}, "--max-pieces"),
        ({"reward": "gold"}, "--reward"),
        ({"state": "dream"}, "--state"),
        ({"form": "jumps"}, "--form"),
        ({"size": "14x14"}, "room for 128 cells"),
        ({"rules": "simplified"}, "keys need rules"),
        ({"iterations": 0}, "--iterations"),
        ({"pieces": "pebbles"}, "pebbles"),
    ],
    "dqn": [
        ({"form": "pixels"}, "--form"),
        ({"inputs": "pixels"}, "--inputs"),
        ({"reward": "gold"}, "--reward"),
        ({"loss": "cubic"}, "--loss"),
        ({"loss": "logistic", "reward": "lines"}, "--reward survival"),
        ({"form": "keys", "rules": "tetrisbot", "inputs": "criteria"}, "--inputs"),
        ({"form": "keys"}, "keys need rules"),
        ({"gamma": 1.5}, "--gamma"),
        ({"parallel_games": 0}, "--parallel-games"),
        ({"replay_start": 100, "replay_buffer": 64}, "--replay-start"),
        ({"learning_rate": 0.0}, "--learning-rate"),
        ({"windows": "5x5"}, "--windows"),
        ({"criteria": "beauty", "inputs": "criteria"}, "beauty"),
        ({"size": "12x40"}, "--size"),
    ],
}


@pytest.mark.parametrize(
    ("method", "changes", "named"), [(method, *row) for method, rows in WRONG.items() for row in rows]
)
def test_a_wrong_option_is_named(method, changes, named):
    with pytest.raises(ApprentiError, match=named):
        learner(method, **changes)


def test_what_a_learner_of_many_states_takes_is_counted():
    assert config("cbmpi").memory < 10**7
