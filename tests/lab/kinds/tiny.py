"""Experiments of every kind that are done in a moment; in all but one there is more than one part."""

import json

from tests.learn.tiny import TINY as LEARNERS


def plain(method, **changes):
    """Tiny options of a learner as a file has them."""
    return json.loads(json.dumps({**LEARNERS[method], **changes}))


TWO = [{"name": "one"}, {"name": "other"}]
"""Runs that differ by their names alone."""

TINY = {
    "scores": {"row": [{"agent": "dellacherie", "size": "10x6", "games": 3}, {"agent": "random", "games": 2}]},
    "scores/coverage": {
        "agents": ["dellacherie"], "sizes": ["10x10"], "intervals": 2, "precision": 0.5, "trials": 0.02, "games": 20,
    },
    "match": {
        "game": "tictactoe", "games": 4,
        "row": [{"agent": "sarsa", "against": "random"}, {"agent": "perfect", "against": "random", "games": 2}],
    },
    "training": {"method": "ce", "unit": "lines", "test_games": 3, "repeats": 2, "config": plain("ce"), "run": TWO[:1]},
    "training/curves": {
        "method": "lambda-pi", "unit": "lines", "test_games": 3, "config": plain("lambda-pi"), "run": TWO,
    },
    "training/columns": {
        "method": "sarsa", "columns": ["generation", "can_lose"], "config": plain("sarsa"), "run": TWO,
    },
    "scores/sizes": {"agent": "dellacherie", "widths": [4, 5], "heights": [4, 4], "games": 3},
    "recipe": {
        "config": plain("cma"), "short_config": {},
        "stage": [{"tests": [{"size": "10x6", "games": 2, "record": "-"}]}, {"seed": 1, "criteria": "dellacherie"}],
    },
    "training/tables": {"test_games": 2, "test_pieces": 50, "config": plain("q-learning"), "run": TWO},
    "solve": {
        "sizes": ["4x4"], "overflow": ["4x4"], "check_games": 20, "players": ["dellacherie", "bcts"], "games": 20,
    },
    "solve/disagreements": {"agent": "dellacherie", "size": "4x4", "games": 20, "shown": 2, "short_size": "4x4"},
    "scores/variants": {
        "row": [
            {"name": "six", "agent": "bcts", "size": "10x6", "games": 2, "without": ["hole_depth", "rows_with_holes"]},
            {"name": "wells", "agent": "dellacherie", "size": "10x6", "games": 2, "weights": {"cumulative_wells": 1.0}},
        ]
    },
    "criteria/windows": {
        "window": "4x4", "size": "10x6", "teacher": "bcts", "player": "dellacherie", "states": 20, "games": 2,
        "iterations": 3, "population": 4,
        "row": [
            {"group": "columns"}, {"criteria": "dellacherie", "weights": "cma-es"},
            {"group": "sum", "weights": "least-squares"},
        ],
    },
    "criteria": {
        "methods": ["forward", "sparse"], "size": "10x6", "teacher": "bcts", "player": "dellacherie", "folds": 3,
        "states": 20, "most": 2, "games": 2,
    },
    "solve/players": {"players": ["dellacherie", "random"], "sizes": ["4x3"], "games": 20},
    "solve/iterations": {"sizes": ["4x3"], "lambdas": [0.0, 1.0], "residual": 1e-6},
    "scores/dealers": {
        "agents": ["dellacherie", "bcts"], "size": "6x4", "short_size": "6x4", "max_pieces": 20,
        "dealer": [{"name": "worst", "randomiser": "worst"}, {"name": "SZ", "randomiser": "sequence:SZ", "games": 2}],
    },
    "training/report": {
        "method": "ga", "games": 3, "short_rules": {"size": "10x6"}, "config": plain("ga"),
        "player": [{"title": "one", "agent": "evaluation:0.5,0.5,0.6,0.2", "mean": 100.0, "deviation": 50.0}],
        "run": [{"name": "other", "there": "long", "coefficients": [0.5, 0.5, 0.6, 0.2]}],
    },
    "training/unbeatable": {"seeds": 2, "config": plain("sarsa"), "run": [{"group": "nothing", "name": "one"}]},
    "training/boards": {"tests": 2, "config": plain("sarsa", test_games=10), "run": TWO},
    "cluster": {
        "cores": [2, 5], "task_seconds": [0.1, 1.0], "driver_ms": 1.0, "trip_ms": 2.0,
        "row": [{"name": "one", "candidates": 5, "games": 4, "game_seconds": 0.3}],
    },
    "match/exploit": {
        "games": 2, "layouts": 20, "row": [{"agent": "random", "by": "one-ply"}, {"agent": "attacks", "by": "one-ply"}],
    },
    "match/best-response": {
        "games": 2, "layouts": 20, "config": {"parallel_games": 4, "moves": 6, "batch_size": 8},
        "row": [{"agent": "magnet", "seconds": 0.01, "tests": 1}, {"agent": "learned", "seconds": 0.01, "tests": 1}],
    },
    "training/rates": {"tests": 2, "config": plain("actor-critic"), "run": TWO},
}  # fmt: skip
