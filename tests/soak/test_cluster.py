"""Nodes, drivers and heads are killed at random moments, again and again; the end is that of one undisturbed core."""

import json
import random
from itertools import count
from time import sleep

import pytest

from apprenti.lab.cluster import on_cluster
from apprenti.lab.train import resume
from apprenti.learn.methods import METHODS, learner_class
from apprenti.store.runs import Run
from tests.clusters import apprenti, real_nodes
from tests.lab.test_cluster import learned
from tests.soak.campaign import MINUTES, campaign

RUN = ["cma", "--size", "10x10", "--criteria", "dt", "--iterations", "20", "--games", "5", "--test-games", "5"]
EVALUATE = ["evaluate", "dellacherie", "--size", "10x10", "--games", "1000", "--json"]
TIMES = ("seconds", "workers", "lines_per_second", "points_per_second", "pieces_per_second", "seconds_per_move")


def figures_in(out):
    """What a command has printed as JSON, without its times."""
    return {name: value for name, value in json.loads(out).items() if name not in TIMES} if out else None


def end_of(folder, name):
    """The last state of a run."""
    return Run(folder / "runs" / name).load().state


@pytest.fixture
def straight(tmp_path):
    """What nobody disturbs: the figures of an evaluation, and the end of a run."""
    figures = figures_in(apprenti(*EVALUATE, folder=tmp_path).communicate()[0])
    apprenti("train", *RUN, "--name", "straight", folder=tmp_path).communicate()
    return figures, end_of(tmp_path, "straight")


def disturb(rng, nodes, names, deadline=20.0):
    """Kill a node and add another, after a while."""
    sleep(rng.uniform(0.5, deadline))
    if len(nodes.nodes) > 1:
        nodes.kill(rng.choice(sorted(nodes.nodes)))
    name = f"node-{next(names)}"
    nodes.nodes[name] = nodes.add(name)


def test_killed_nodes_and_drivers_change_nothing(straight, tmp_path):
    with real_nodes(3) as nodes:
        campaign("nodes and drivers killed", killed_nodes(nodes, straight, tmp_path), minutes=MINUTES / 2)


def killed_nodes(nodes, straight, folder):
    rng, names = random.Random(1), count(100)
    for number in count(1):
        driver = apprenti(*EVALUATE, "--cluster", nodes.address, folder=folder)
        disturb(rng, nodes, names)
        out, errors = driver.communicate()
        yield "" if figures_in(out) == straight[0] else f"evaluation {number} is another: {out} {errors}"
        wrong = train(rng, nodes, names, folder, f"run-{number}")
        yield wrong or ("" if end_of(folder, f"run-{number}") == straight[1] else f"run-{number} has another end")


def train(rng, nodes, names, folder, name):
    """A run whose driver is killed, too, until it is done; what is wrong."""
    words = ["train", *RUN, "--name", name, "--cluster", nodes.address]
    while True:
        driver = apprenti(*words, folder=folder)
        disturb(rng, nodes, names)
        if rng.random() < 0.5:
            driver.kill()
        errors = driver.communicate()[1]
        if driver.returncode != -9:
            return errors if driver.returncode else ""
        if (folder / "runs" / name / "run.json").exists():
            words = ["resume", name, "--cluster", nodes.address]


def test_a_killed_head_is_one_sentence_and_its_run_is_resumed(straight, tmp_path):
    campaign("heads killed", killed_heads(straight[1], tmp_path), minutes=MINUTES / 2)


def killed_heads(end, folder):
    rng = random.Random(2)
    for number in count(1):
        name = f"head-{number}"
        with real_nodes(1) as nodes:
            driver = apprenti("train", *RUN, "--name", name, "--cluster", nodes.address, folder=folder)
            sleep(rng.uniform(0.0, 15.0))
            nodes.kill_head()
            errors = driver.communicate()[1]
        sentences = [line for line in errors.splitlines() if line.startswith("apprenti: ")]
        if driver.returncode not in (0, 2) or "Traceback" in errors or len(sentences) != (driver.returncode == 2):
            yield f"{name} ended with {driver.returncode}: {errors}"
            continue
        if driver.returncode and (folder / "runs" / name / "run.json").exists():
            resume(Run(folder / "runs" / name))
            yield "" if end_of(folder, name) == end else f"{name} was resumed to another end"
        else:
            yield ""


def test_what_every_method_learns_is_what_one_core_learns():
    methods = [method for method in METHODS if getattr(learner_class(method), "scales", False)]
    alone = {method: learned(method) for method in methods}
    with real_nodes(2) as nodes, on_cluster(nodes.address):
        for method in methods:
            assert learned(method) == alone[method], method
