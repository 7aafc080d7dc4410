"""Nodes and drivers are killed at random moments, again and again; the end is that of one undisturbed core."""

import json
import random
from time import monotonic, sleep

import pytest

from apprenti.lab.cluster import on_cluster
from apprenti.learn.methods import METHODS, learner_class
from apprenti.store.runs import Run
from tests.clusters import apprenti, real_nodes
from tests.lab.test_cluster import learned
from tests.soak.campaign import MINUTES

RUN = ["cma", "--size", "10x10", "--criteria", "dt", "--iterations", "40", "--games", "10", "--test-games", "20"]
EVALUATE = ["evaluate", "dellacherie", "--size", "10x10", "--games", "3000", "--json"]
TIMES = ("seconds", "workers", "lines_per_second", "points_per_second", "pieces_per_second", "seconds_per_move")


def told(words, folder):
    """What a command prints as JSON, without its times."""
    out, errors = apprenti(*words, folder=folder).communicate()
    assert out, errors
    return {name: value for name, value in json.loads(out).items() if name not in TIMES}


def disturb(rng, nodes, names, deadline=20.0):
    """Kill a node and add another, after a while."""
    sleep(rng.uniform(0.5, deadline))
    if len(nodes.nodes) > 1:
        nodes.kill(rng.choice(sorted(nodes.nodes)))
    name = f"node-{next(names)}"
    nodes.nodes[name] = nodes.add(name)


@pytest.mark.parametrize("seed", [1])
def test_random_kills_change_nothing(seed, tmp_path):
    rng, end, names = random.Random(seed), monotonic() + 60 * MINUTES, iter(range(100, 10_000))
    straight = told(EVALUATE, tmp_path)
    apprenti("train", *RUN, "--name", "straight", folder=tmp_path).communicate()
    expected, rounds = Run(tmp_path / "runs" / "straight").load().state, 0
    with real_nodes(3) as nodes:
        while monotonic() < end:
            rounds += 1
            words = [*EVALUATE, "--cluster", nodes.address]
            driver = apprenti(*words, folder=tmp_path)
            disturb(rng, nodes, names)
            out, errors = driver.communicate()
            found = {name: value for name, value in json.loads(out).items() if name not in TIMES}
            assert found == straight, errors
            train(rng, nodes, names, tmp_path, f"run-{rounds}")
            assert Run(tmp_path / "runs" / f"run-{rounds}").load().state == expected
    print(f"{rounds} rounds, {next(names) - 100} nodes killed or added")


def test_what_every_method_learns_is_what_one_core_learns():
    methods = [method for method in METHODS if getattr(learner_class(method), "scales", False)]
    alone = {method: learned(method) for method in methods}
    with real_nodes(2) as nodes, on_cluster(nodes.address):
        for method in methods:
            assert learned(method) == alone[method], method


def train(rng, nodes, names, folder, name):
    """A run whose driver is killed, too, until it is done."""
    words = ["train", *RUN, "--name", name, "--cluster", nodes.address]
    while True:
        driver = apprenti(*words, folder=folder)
        disturb(rng, nodes, names)
        if rng.random() < 0.5:
            driver.kill()
        errors = driver.communicate()[1]
        if driver.returncode == 0:
            return
        assert driver.returncode == -9, errors
        if (folder / "runs" / name / "run.json").exists():
            words = ["resume", name, "--cluster", nodes.address]
