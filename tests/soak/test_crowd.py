"""Fifty programs at once in one folder: everybody gets what they would get alone. `make soak PART=crowd`."""

import itertools

from apprenti.store.runs import Run
from tests.clusters import apprenti
from tests.contracts.test_learners import plain
from tests.learn.tiny import words
from tests.soak.campaign import campaign

PROGRAMS = 50
METHODS = ("sarsa", "tabular")
BESIDE = (["runs"], ["agents"], ["evaluate", "dellacherie", "--size", "10x6", "--games", "5", "--json"], ["doctor"])
SENTENCE = "apprenti: "


def programs(round_, number):
    """Runs with names of their own, runs that all want the same name, and others who read."""
    for place in range(number):
        method = METHODS[place % len(METHODS)]
        name = f"{method}-{round_}-{place}" if place % 5 else f"same-{round_}"
        if place % 5 == 4:
            yield "", BESIDE[place // 5 % len(BESIDE)]
        else:
            yield name, ["train", *words(method), "--name", name]


def wrong_with(name, program, out, err, folder, straight):
    """What is wrong with an end, if anything."""
    if "Traceback" in err or program.returncode not in (0, 2):
        return f"{name}: {program.returncode}, {err[-300:]}"
    if program.returncode == 2:
        taken = name.startswith("same") and sum(line.startswith(SENTENCE) for line in err.splitlines()) == 1
        return "" if taken else f"{name}: {err[-300:]}"
    method = name.rpartition("-")[0].rpartition("-")[0]
    found = plain(Run(folder / "runs" / name).load().state) if method else None
    return "" if found == straight.get(method) or method == "" else f"{name} came to something else"


def cases(folder, number):
    """Round after round of so many programs."""
    straight = {}
    for method in METHODS:
        apprenti("train", *words(method), "--name", method, folder=folder).communicate()
        straight[method] = plain(Run(folder / "runs" / method).load().state)
    for round_ in itertools.count():
        started = [(name, apprenti(*said, folder=folder)) for name, said in programs(round_, number)]
        for name, program in started:
            yield wrong_with(name, program, *program.communicate(timeout=600), folder, straight)


def test_fifty_at_once(tmp_path):
    campaign(f"programs, {PROGRAMS} at once", cases(tmp_path, PROGRAMS))
